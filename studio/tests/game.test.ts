import { describe, expect, it } from 'vitest';
import { freeName, GOAL, IMPASSABLE, middleOf, NEXT, tileAt, tileColour, tileColours, tileNumber, tileScene, type Game } from '../src/act/game';

const game: Game = {
  width: 3,
  height: 2,
  neighbours: 4,
  turn: 7,
  prices: Float64Array.from([1, 2, 8, Infinity, 1, 1]),
  units: [
    { name: 'A', place: 0, points: 2, left: 1, goal: 5, held: false, next: 4, tiles: [1, 4, 5] },
    { name: 'B', place: 2, points: 2, left: 2, goal: null, held: false, next: null, tiles: [] },
  ],
  log: [],
};

describe('tiles', () => {
  it('are green and darker where they cost more, red where nobody can go', () => {
    expect(tileColour(Infinity)).toEqual(IMPASSABLE);
    const light = [1, 2, 8].map((price) => tileColour(price)[1]);
    expect(light[0]).toBeGreaterThan(light[1]);
    expect(light[1]).toBeGreaterThan(light[2]);
  });

  it('are yellow at goals and blue at next steps', () => {
    const pixels = tileColours(game);
    expect([...pixels.subarray(20, 24)]).toEqual(GOAL);
    expect([...pixels.subarray(16, 20)]).toEqual(NEXT);
    expect([...pixels.subarray(12, 16)]).toEqual(IMPASSABLE);
  });

  it('have the goal yellow when it is the next step too', () => {
    const near = { ...game, units: [{ ...game.units[0], next: 5 }] };
    expect([...tileColours(near).subarray(20, 24)]).toEqual(GOAL);
  });

  it('are found again at their middle, squares and hexagons', () => {
    for (const neighbours of [4, 6, 8]) {
      const one = { ...game, neighbours };
      for (let place = 0; place < 6; place++) expect(tileAt(one, middleOf(one, place))).toBe(place);
      expect(tileAt(one, [-0.1, 0.5])).toBe(-1);
      expect(tileAt(one, [1, 2.1])).toBe(-1);
    }
    expect(tileAt({ ...game, neighbours: 6 }, [0.2, 1.5])).toBe(-1);
  });

  it('are a picture, and discs on hexagons', () => {
    expect(tileScene(game).arrays['0.pixels'].shape).toEqual([2, 3, 4]);
    const hexagons = tileScene({ ...game, neighbours: 6 });
    expect(hexagons.arrays['0.centres'].values[2 * 3]).toBe(1);
    expect(hexagons.head.bounds).toEqual([0, 0, 3.5, 2]);
  });

  it('have numbers that are short, and ∞', () => {
    expect([Infinity, 12, 2.123456].map(tileNumber)).toEqual(['∞', '12', '2.123']);
  });
});

describe('names', () => {
  it('are new ones', () => {
    expect(freeName(game)).toBe('C');
    const units = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((name) => ({ ...game.units[0], name }));
    expect(freeName({ ...game, units })).toBe('A1');
  });
});
