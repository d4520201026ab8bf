import { describe, expect, it } from 'vitest';
import type { Formation, Place } from '../src/draft';
import { azimuthOf, ordered, seenFromLeader, sizeOf, turned } from '../src/edit/marching';

describe('formations', () => {
  it('face clockwise from north, on a map whose y grows downwards', () => {
    expect([azimuthOf([0, 0], [0, -5]), azimuthOf([0, 0], [5, 0]), azimuthOf([0, 0], [0, 5]), azimuthOf([0, 0], [-5, 0])]).toEqual([0, 90, 180, 270]);
  });
  it('are turned so that who is behind the leader stays there', () => {
    const behind: Place[] = [[0, 1], [-1, 1]];
    const near = (places: Place[]) => places.map((place) => place.map((value) => Math.round(1000 * value) / 1000 + 0));
    expect(near(turned(behind, 0, [10, 10], 2))).toEqual([[10, 12], [8, 12]]);
    expect(near(turned(behind, 90, [10, 10], 2))).toEqual([[8, 10], [8, 8]]); // it goes to the right: left is up
    expect(near(turned(behind, 180, [10, 10], 1))).toEqual([[10, 9], [11, 9]]);
  });
  it('may be spots, which are seen from the leader', () => {
    const spots: Place[] = [[1, 4], [3, 2], [5, 4]];
    expect(seenFromLeader(spots, [1, 1, 1])).toEqual([[-2, 2], [0, 0], [2, 2]]);
    expect(sizeOf({ spots, commander: [1, 1, 1], start: [0, 0], azimuth: 0, order: [], modules: {} })).toBe(3);
  });
  it('get a new target, or one place more', () => {
    const one = { order: [] as Formation['order'] } as Formation;
    const first = ordered(one, [1, 1], true);
    expect(first.order).toEqual([{ places: [[1, 1]] }]);
    expect(ordered(first, [2, 2], true).order[0].places).toEqual([[1, 1], [2, 2]]);
    expect(ordered(first, [2, 2], false).order[0].places).toEqual([[2, 2]]);
    expect(one.order).toEqual([]);
  });
});
