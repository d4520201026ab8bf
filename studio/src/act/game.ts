// A game in turns as the server says it, and how its tiles look: plain data, no page.
import type { Place } from '../draft';
import type { Colour } from '../stage/palette';
import { mixed } from '../stage/palette';
import type { LegendItem } from '../stage/scene';
import type { Message, Numbers } from '../wire';

export interface GameUnit {
  name: string;
  place: number;
  points: number;
  /** Movement points that this turn leaves, as its way goes now. */
  left: number;
  goal: number | null;
  /** It has an order and no way. */
  held: boolean;
  /** The tile where this turn ends. */
  next: number | null;
  /** All tiles that it will enter. */
  tiles: number[];
}

/** What a unit's search knows of the tiles where it has been. */
export interface Touched {
  vertices: Numbers;
  price: Numbers;
  g: Numbers;
  rhs: Numbers;
}

export interface Game {
  width: number;
  height: number;
  /** 4 or 8 on squares, 6 on hexagons. */
  neighbours: number;
  turn: number;
  prices: Numbers;
  units: GameUnit[];
  log: [number, string][];
}

export const PASSABLE: Colour = [210, 234, 202, 255];
const DEAR: Colour = [150, 194, 120, 255];
export const IMPASSABLE: Colour = [204, 92, 110, 255];
export const NEXT: Colour = [116, 168, 226, 255];
export const GOAL: Colour = [252, 210, 70, 255];
const DEAREST = 8; // the price from which on a tile is as dark as any

/** The colour of a tile by its price: green, a step darker for each doubling, red where nobody can go. */
export function tileColour(price: number): Colour {
  if (!Number.isFinite(price)) return IMPASSABLE;
  return mixed(PASSABLE, DEAR, Math.min(Math.max(Math.log(price) / Math.log(DEAREST), 0), 1));
}

export const tileLegend: LegendItem[] = [
  { label: 'price', shape: 'ramp', colours: [1, 2, 4, 8].map(tileColour), low: '1', high: '8' },
  { label: 'impassable', shape: 'square', colour: IMPASSABLE },
  { label: 'next step', shape: 'square', colour: NEXT },
  { label: 'goal', shape: 'square', colour: GOAL },
];

/** Four bytes of colour for each tile: terrain, next steps in blue, goals in yellow. */
export function tileColours({ prices, units }: Game): Uint8Array {
  const pixels = new Uint8Array(4 * prices.length);
  for (let place = 0; place < prices.length; place++) pixels.set(tileColour(prices[place]), 4 * place);
  for (const { goal } of units) if (goal !== null) pixels.set(GOAL, 4 * goal);
  for (const { next, goal, place } of units) if (next !== null && next !== goal && next !== place) pixels.set(NEXT, 4 * next);
  return pixels;
}

/** The middle of a tile; odd rows of hexagons lie half a tile to the right. */
export function middleOf({ width, neighbours }: Game, place: number): Place {
  const y = Math.floor(place / width);
  return [(place % width) + 0.5 + (neighbours === 6 && y % 2 === 1 ? 0.5 : 0), y + 0.5];
}

/** The tile at a place, -1 outside the map. */
export function tileAt({ width, height, neighbours }: Game, [x, y]: Place): number {
  const row = Math.floor(y);
  const column = Math.floor(x - (neighbours === 6 && row % 2 === 1 ? 0.5 : 0));
  return row < 0 || column < 0 || row >= height || column >= width ? -1 : row * width + column;
}

/** Tiles as an overlay: a picture of squares, or discs where tiles are hexagons. */
export function tileScene(game: Game): Message {
  const { width, height, neighbours } = game;
  const colours = tileColours(game);
  const hexagons = neighbours === 6;
  const bounds = [0, 0, width + (hexagons ? 0.5 : 0), height];
  const head = { kind: 'scene', job: '', name: 'tiles', title: 'tiles', bounds, legend: tileLegend };
  if (!hexagons) {
    const layers = [{ type: 'image', extent: [0, 0, width, height] }];
    return { head: { ...head, layers }, arrays: { '0.pixels': { values: colours, shape: [height, width, 4] } } };
  }
  const n = width * height;
  const centres = new Float32Array(2 * n);
  for (let place = 0; place < n; place++) centres.set(middleOf(game, place), 2 * place);
  const arrays = {
    '0.centres': { values: centres, shape: [n, 2] },
    '0.radii': { values: new Float32Array(n).fill(0.5), shape: [n] },
    '0.colours': { values: colours, shape: [n, 4] },
  };
  return { head: { ...head, layers: [{ type: 'circles' }] }, arrays };
}

export const unitOn = ({ units }: Game, place: number) => units.find((unit) => unit.place === place);

/** A number as it is written on a tile. */
export function tileNumber(value: number): string {
  return Number.isFinite(value) ? `${Number(value.toPrecision(4))}` : '∞';
}

/** A name that no unit has yet: A, B, …, Z, A1, … */
export function freeName({ units }: Game): string {
  const taken = new Set(units.map((unit) => unit.name));
  for (let k = 0; ; k++) {
    const name = String.fromCharCode(65 + (k % 26)) + (k < 26 ? '' : Math.floor(k / 26));
    if (!taken.has(name)) return name;
  }
}
