// Painting cells: which cells a brush, a line, a rectangle and a fill touch, and what becomes of them.
import type { Cells, Place } from '../draft';
import { GROUND, WALL, type Prices } from './terrain';

export type Operation = 'set' | 'add' | 'multiply';

export interface Brush {
  what: 'wall' | 'terrain' | 'cost';
  /** Of terrain. */
  letter: string;
  shape: 'round' | 'square';
  /** Cells across. */
  size: number;
  operation: Operation;
  /** Of cost: a price to set, to add, or a factor. */
  amount: number;
}

export const DEAREST = 9; // the digits are prices
const ROUNDER = 0.15; // cells that a round brush is smaller, so that three cells across are a cross and no square

/** The cell that a place lies in. */
export const cellOf = ([x, y]: Place): Place => [Math.floor(x), Math.floor(y)];

export const middleOf = ([x, y]: Place): Place => [Math.floor(x) + 0.5, Math.floor(y) + 0.5];

export const holds = (cells: Cells, [x, y]: Place): boolean => x >= 0 && y >= 0 && x < cells.width && y < cells.height;

/** The cells under a brush at a place. A brush that is an even number of cells across has its middle on a corner. */
export function brushCells([x, y]: Place, size: number, shape: 'round' | 'square'): Place[] {
  const [left, top] = size % 2 === 1 ? [Math.floor(x) - (size - 1) / 2, Math.floor(y) - (size - 1) / 2] : [Math.round(x) - size / 2, Math.round(y) - size / 2];
  const found: Place[] = [];
  const half = (size - 1) / 2;
  for (let dy = 0; dy < size; dy++) {
    for (let dx = 0; dx < size; dx++) {
      if (shape === 'square' || Math.hypot(dx - half, dy - half) <= size / 2 - ROUNDER) found.push([left + dx, top + dy]);
    }
  }
  return found;
}

/** The places from one to another, a cell apart: Bresenham's line, moved to where the first place is in its cell. */
export function line(from: Place, to: Place): Place[] {
  let [x, y] = cellOf(from);
  const [endX, endY] = cellOf(to);
  const shift: Place = [from[0] - x, from[1] - y];
  const dx = Math.abs(endX - x);
  const dy = -Math.abs(endY - y);
  const places: Place[] = [];
  let error = dx + dy;
  for (;;) {
    places.push([x + shift[0], y + shift[1]]);
    if (x === endX && y === endY) return places;
    const twice = 2 * error;
    if (twice >= dy) {
      error += dy;
      x += x < endX ? 1 : -1;
    }
    if (twice <= dx) {
      error += dx;
      y += y < endY ? 1 : -1;
    }
  }
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The rectangle of cells from that of one place to that of another, as far as it lies on the map; null if none does. */
export function boxOf(from: Place, to: Place, map: { width: number; height: number }): Box | null {
  const [a, b] = [cellOf(from), cellOf(to)];
  const x = Math.max(0, Math.min(a[0], b[0]));
  const y = Math.max(0, Math.min(a[1], b[1]));
  const width = Math.min(map.width, Math.max(a[0], b[0]) + 1) - x;
  const height = Math.min(map.height, Math.max(a[1], b[1]) + 1) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The cells of a rectangle, or of its border, so many cells thick. */
export function boxCells(box: Box, border = Infinity): Place[] {
  const found: Place[] = [];
  for (let dy = 0; dy < box.height; dy++) {
    for (let dx = 0; dx < box.width; dx++) {
      if (Math.min(dx, dy, box.width - 1 - dx, box.height - 1 - dy) < border) found.push([box.x + dx, box.y + dy]);
    }
  }
  return found;
}

/** The cells of one letter that hang together, side by side, with that of a place. */
export function flooded(cells: Cells, place: Place): Place[] {
  const [x, y] = cellOf(place);
  if (!holds(cells, [x, y])) return [];
  const { width, height, terrain } = cells;
  const letter = terrain[y * width + x];
  const seen = new Uint8Array(width * height);
  const found: number[] = [y * width + x];
  seen[found[0]] = 1;
  for (let k = 0; k < found.length; k++) {
    const cell = found[k];
    const column = cell % width;
    const near = [column > 0 ? cell - 1 : -1, column + 1 < width ? cell + 1 : -1, cell - width, cell + width];
    for (const next of near) {
      if (next >= 0 && next < seen.length && seen[next] === 0 && terrain[next] === letter) {
        seen[next] = 1;
        found.push(next);
      }
    }
  }
  return found.map((cell) => [cell % width, Math.floor(cell / width)]);
}

/** What becomes of a cell's letter under a brush. Costs are only painted where somebody can stand. */
export function painter(brush: Brush, erase: boolean, prices: Prices): (code: number) => number {
  if (erase) return () => GROUND;
  if (brush.what === 'wall') return () => WALL;
  if (brush.what === 'terrain') return () => brush.letter.charCodeAt(0);
  return (code) => {
    const before = prices(code);
    if (before === null) return code;
    const after = brush.operation === 'set' ? brush.amount : brush.operation === 'add' ? before + brush.amount : before * brush.amount;
    const price = Math.min(Math.max(Math.round(after), 1), DEAREST);
    return price === before ? code : price === 1 ? GROUND : `${price}`.charCodeAt(0);
  };
}

/** A stroke under way: a copy of the map in which each cell is painted once, however often the brush comes by. */
export class Stroke {
  readonly cells: Cells;
  private readonly done: Uint8Array;
  /** Whether anything is another than before. */
  changed = false;

  constructor(
    before: Cells,
    private readonly paint: (code: number) => number,
  ) {
    this.cells = { ...before, terrain: before.terrain.slice() };
    this.done = new Uint8Array(before.terrain.length);
  }

  touch(places: Place[]): void {
    const { width, terrain } = this.cells;
    for (const place of places) {
      if (!holds(this.cells, place)) continue;
      const at = place[1] * width + place[0];
      if (this.done[at] === 1) continue;
      this.done[at] = 1;
      const after = this.paint(terrain[at]);
      if (after === terrain[at]) continue;
      terrain[at] = after;
      this.changed = true;
    }
  }
}
