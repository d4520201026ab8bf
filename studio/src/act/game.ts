// A game in turns as the server says it: plain data, no page.
import type { Place } from '../draft';

/** Places of tiles are [x, y]. */
export interface GameUnit {
  name: string;
  at: Place;
  points: number;
  goal: Place | null;
  /** It has an order and no way. */
  held: boolean;
  /** All tiles that it will enter. */
  tiles: Place[];
  /** What it does in this turn: the tiles that it enters, where it ends, the points that are left. */
  next: { tiles: Place[]; at: Place; left: number } | null;
}

export interface Game {
  turn: number;
  width: number;
  height: number;
  /** 4 or 8 on squares, 6 on hexagons. */
  neighbours: number;
  /** One tile a turn, whatever it costs. */
  steps: boolean;
  /** Rows of letters. */
  terrain: string[];
  features: [number, number, string][];
  /** What each feature adds to the price of its tile, null for all. */
  costs: Record<string, number | null>;
  units: GameUnit[];
  /** What has happened since the last message: turn and sentence. */
  log: [number, string][];
  /** How many acts can be taken back, or done again. */
  undo: number;
  redo: number;
}

export const TERRAIN = ['plain', 'hill', 'mountain', 'impassable'];

/** How far a row of tiles lies to the right: odd rows of hexagons do, by half a tile. */
const shift = ({ neighbours }: Game, y: number) => (neighbours === 6 && y % 2 === 1 ? 0.5 : 0);

/** The middle of a tile. */
export const middleOf = (game: Game, [x, y]: Place): Place => [x + 0.5 + shift(game, y), y + 0.5];

/** The tile at a place of the map, null outside. */
export function tileAt(game: Game, [x, y]: Place): Place | null {
  const row = Math.floor(y);
  const column = Math.floor(x - shift(game, row));
  return row < 0 || column < 0 || row >= game.height || column >= game.width ? null : [column, row];
}

export const same = (a: Place | null, b: Place | null) => a !== null && b !== null && a[0] === b[0] && a[1] === b[1];

export const unitOn = ({ units }: Game, tile: Place) => units.find((unit) => same(unit.at, tile));

/** The name of the unit after one (by = 1) or before it (-1), all round; of any if there is none of that name. */
export function nextUnit({ units }: Game, name: string, by: number): string {
  if (units.length === 0) return '';
  const now = units.findIndex((unit) => unit.name === name);
  const next = now < 0 ? (by > 0 ? 0 : units.length - 1) : (now + by + units.length) % units.length;
  return units[next].name;
}

/** What a unit is about, in words. */
export function stateOf(unit: GameUnit): string {
  if (unit.goal === null) return 'no order';
  if (unit.held) return 'no way: it stays';
  return unit.next !== null && same(unit.next.at, unit.at) ? 'waits' : 'under way';
}
