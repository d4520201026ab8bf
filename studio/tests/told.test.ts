import { describe, expect, it } from 'vitest';
import { cellsAt, line, madeBy, ordersAt, roomFor, toldText, unitsIn, type Told } from '../src/act/told';

const cells = { width: 4, height: 3, terrain: new Uint8Array(12).fill(46) };
const told: Told[] = [
  { given: 4, step: 5, order: [[1, 1, 2]], units: [0, 2] },
  { given: 9, step: 10, terrain: '@', cells: [[3, 2]] },
  { given: 11, step: 12, order: [[3, 1, 2], [2, 2, 2]], units: [2] },
  { given: 20, step: 20, units: [1, 3] },
];

describe('the map of a live run', () => {
  it('has the changes that were due, and leaves the map of the draft alone', () => {
    const painted = [{ step: 10, terrain: '@', cells: [[3, 2]] as [number, number][] }];
    expect(cellsAt(cells, painted, 9)).toBe(cells);
    const after = cellsAt(cells, painted, 10);
    expect([...after.terrain].filter((code) => code === 64)).toHaveLength(1);
    expect(after.terrain[2 * 4 + 3]).toBe(64);
    expect(cells.terrain[11]).toBe(46);
  });

  it('makes later changes later, in whatever order they were told, and none outside the map', () => {
    const changes = [
      { step: 9, terrain: '.', rectangle: { x: 2, y: 1, width: 5, height: 1 } },
      { step: 3, terrain: '@', rectangle: { x: -1, y: 1, width: 9, height: 1 } },
    ];
    const row = (step: number) => String.fromCharCode(...cellsAt(cells, changes, step).terrain);
    expect(row(3)).toBe('....@@@@....');
    expect(row(9)).toBe('....@@......');
    expect(madeBy(changes, 8)).toBe(1);
  });
});

describe('orders', () => {
  it('hold for the units that got them, from their step on, until the next one', () => {
    expect(ordersAt(told, 4).size).toBe(0);
    expect(ordersAt(told, 5).get(2)).toBe(told[0]);
    expect(ordersAt(told, 12).get(2)).toBe(told[2]);
    expect(ordersAt(told, 99).get(0)).toBe(told[0]);
    expect(ordersAt(told, 99).has(1)).toBe(false);
  });

  it('are said in words', () => {
    expect(told.map(toldText)).toEqual([
      '2 units to (1.0, 1.0)',
      'a cell to @',
      'unit 2 to (3.0, 1.0), (2.0, 2.0)',
      '2 units removed',
    ]);
  });

  it('are for the units in a box, whichever corner it begins with', () => {
    const positions = [0, 0, 2, 2, 3, 1, 9, 9];
    expect(unitsIn(positions, [4, 3], [1, 0.5], () => true)).toEqual([1, 2]);
    expect(unitsIn(positions, [1, 0.5], [4, 3], (unit) => unit !== 1)).toEqual([2]);
  });

  it('have targets in which all have room', () => {
    expect(roomFor(1, 0.5)).toBe(1.5);
    expect(Math.PI * roomFor(64, 0.5) ** 2).toBeGreaterThan(64 * Math.PI * 0.25);
  });
});

describe('a stroke', () => {
  it('has no gaps', () => {
    for (const [a, b] of [[[0, 0], [7, 3]], [[5, 5], [5, -2]], [[2, 2], [2, 2]]] as [[number, number], [number, number]][]) {
      const way = line(a, b);
      expect(way[0]).toEqual(a);
      expect(way.at(-1)).toEqual(b);
      for (let k = 1; k < way.length; k++) expect(Math.hypot(way[k][0] - way[k - 1][0], way[k][1] - way[k - 1][1])).toBeLessThan(1.5);
    }
  });
});
