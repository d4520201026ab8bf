// What a live run was told: orders, changes of the map, units taken out. Plain data, as `anabasis.campaign` has it.
import type { Cells, Change, Place } from '../draft';

/** x, y and radius. */
export type Stop = [number, number, number];

export interface Order {
  given: number;
  step: number;
  order: Stop[];
  units: number[];
}

export interface Painted {
  given: number;
  step: number;
  terrain: string;
  cells: Place[];
}

export interface Removal {
  given: number;
  step: number;
  units: number[];
}

export type Told = Order | Painted | Removal;

export const isOrder = (told: Told): told is Order => 'order' in told;
const isPainted = (told: Told): told is Painted => 'terrain' in told;

/** One line for people. */
export function toldText(told: Told): string {
  const many = (units: number[]) => (units.length === 1 ? `unit ${units[0]}` : `${units.length} units`);
  if (isOrder(told)) {
    const stops = told.order.map(([x, y]) => `(${x.toFixed(1)}, ${y.toFixed(1)})`);
    return `${many(told.units)} to ${stops.join(', ')}`;
  }
  if (isPainted(told)) return `${told.cells.length === 1 ? 'a cell' : `${told.cells.length} cells`} to ${told.terrain}`;
  return `${many(told.units)} removed`;
}

/** The map at a step: those changes have been made that were due by then. */
export function cellsAt(cells: Cells, changes: (Change | Painted)[], step: number): Cells {
  const due = changes.filter((change) => change.step <= step).sort((a, b) => a.step - b.step);
  if (due.length === 0) return cells;
  const terrain = cells.terrain.slice();
  const put = (x: number, y: number, letter: string) => {
    if (x >= 0 && y >= 0 && x < cells.width && y < cells.height) terrain[y * cells.width + x] = letter.charCodeAt(0);
  };
  for (const change of due) {
    for (const [x, y] of change.cells ?? []) put(x, y, change.terrain);
    if (!('rectangle' in change) || change.rectangle === undefined) continue;
    const { x, y, width, height } = change.rectangle;
    for (let row = y; row < y + height; row++) for (let column = x; column < x + width; column++) put(column, row, change.terrain);
  }
  return { ...cells, terrain };
}

/** How many changes have been made at a step: the map is another one when this is another number. */
export const madeBy = (changes: { step: number }[], step: number) => changes.filter((change) => change.step <= step).length;

/** For each unit with an order the one that it follows at a step; who is not in it goes where its group goes. */
export function ordersAt(told: Told[], step: number): Map<number, Order> {
  const now = new Map<number, Order>();
  for (const one of told) if (isOrder(one) && one.step <= step) for (const unit of one.units) now.set(unit, one);
  return now;
}

/** The cells on a straight line from one cell to another, both of them among these. */
export function line([x0, y0]: Place, [x1, y1]: Place): Place[] {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  return Array.from({ length: steps + 1 }, (_, k): Place => {
    const share = steps === 0 ? 0 : k / steps;
    return [Math.round(x0 + share * (x1 - x0)), Math.round(y0 + share * (y1 - y0))];
  });
}

/** The units whose middle is in a box, of those that are there. */
export function unitsIn(positions: ArrayLike<number>, a: Place, b: Place, there: (unit: number) => boolean): number[] {
  const [x0, x1] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [y0, y1] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  const found: number[] = [];
  for (let unit = 0; 2 * unit < positions.length; unit++) {
    const [x, y] = [positions[2 * unit], positions[2 * unit + 1]];
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && there(unit)) found.push(unit);
  }
  return found;
}

/** A radius of a target in which so many units have room at once. */
export function roomFor(units: number, radius: number): number {
  return Math.max(1.5, Math.round(10 * 1.2 * radius * Math.sqrt(units)) / 10);
}
