import { describe, expect, it } from 'vitest';
import { middleOf, nextUnit, stateOf, tileAt, unitOn, type Game, type GameUnit } from '../src/act/game';

const unit = (name: string, at: [number, number], more: Partial<GameUnit> = {}): GameUnit => ({
  name, at, points: 2, goal: null, held: false, tiles: [], next: null, ...more,
});

const game: Game = {
  turn: 7, width: 3, height: 2, neighbours: 4, steps: false, terrain: ['..h', '.@.'], features: [], costs: {},
  units: [unit('A', [0, 0]), unit('B', [2, 0]), unit('C', [2, 1])], log: [], undo: 0, redo: 0,
};

describe('tiles', () => {
  it('are found again at their middle, squares and hexagons', () => {
    for (const neighbours of [4, 6, 8]) {
      const one = { ...game, neighbours };
      for (let y = 0; y < 2; y++) for (let x = 0; x < 3; x++) expect(tileAt(one, middleOf(one, [x, y]))).toEqual([x, y]);
      expect(tileAt(one, [-0.1, 0.5])).toBeNull();
      expect(tileAt(one, [1, 2.1])).toBeNull();
    }
    const hexagons = { ...game, neighbours: 6 };
    expect(tileAt(hexagons, [0.2, 1.5])).toBeNull();
    expect(tileAt(hexagons, [3.2, 1.5])).toEqual([2, 1]);
  });
});

describe('units', () => {
  it('are found on their tiles', () => {
    expect(unitOn(game, [2, 1])?.name).toBe('C');
    expect(unitOn(game, [1, 1])).toBeUndefined();
  });

  it('come one after the other, all round', () => {
    expect(['A', 'C', ''].map((name) => nextUnit(game, name, 1))).toEqual(['B', 'A', 'A']);
    expect(['A', 'C', ''].map((name) => nextUnit(game, name, -1))).toEqual(['C', 'B', 'C']);
    expect(nextUnit({ ...game, units: [] }, 'A', 1)).toBe('');
  });

  it('say what they are about', () => {
    const next = { tiles: [], at: [0, 0] as [number, number], left: 2 };
    expect(stateOf(unit('A', [0, 0]))).toBe('no order');
    expect(stateOf(unit('A', [0, 0], { goal: [1, 0], held: true }))).toBe('no way: it stays');
    expect(stateOf(unit('A', [0, 0], { goal: [1, 0], next }))).toBe('waits');
    expect(stateOf(unit('A', [0, 0], { goal: [1, 0], next: { ...next, at: [1, 0] } }))).toBe('under way');
  });
});
