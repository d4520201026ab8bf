// How the job "turns" is spoken to, and what its messages say.
import type { Place } from '../draft';
import type { Message } from '../wire';
import type { Game, GameUnit, Touched } from './game';

type Words = [say: string, words: Record<string, unknown>];

export const WORDS = {
  show: (unit: string): Words => ['show', { unit }],
  order: (unit: string, to: Place): Words => ['order', { unit, to }],
  halt: (unit: string): Words => ['halt', { unit }],
  endTurn: (): Words => ['end_turn', {}],
  change: (cells: Place[], terrain: string): Words => ['change', { cells, terrain }],
  add: (name: string, at: Place, points: number): Words => ['add', { name, at, points }],
  remove: (unit: string): Words => ['remove', { unit }],
};

/** The game of a message, null if it says none. */
export function gameOf({ head, arrays }: Message): Game | null {
  if (head.kind !== 'turns') return null;
  return {
    width: head.width as number,
    height: head.height as number,
    neighbours: head.neighbours as number,
    turn: head.turn as number,
    prices: arrays.prices.values,
    units: head.units as GameUnit[],
    log: head.log as [number, string][],
  };
}

/** What a search knows, null if there is no search, undefined if the message says nothing of it. */
export function touchedOf({ head, arrays }: Message): Touched | null | undefined {
  if (head.kind !== 'turns') return undefined;
  if (arrays.vertices === undefined) return null;
  return { vertices: arrays.vertices.values, price: arrays.price.values, g: arrays.g.values, rhs: arrays.rhs.values };
}
