import { describe, expect, it } from 'vitest';
import { cellsOf, emptyMap, type Group, type Place } from '../src/draft';
import { agentsOf, parts, randomAgents } from '../src/edit/agents';
import { clear, Crowd, disc, nearestRoom, placed, rectangle } from '../src/edit/crowd';

const land = (code: number) => (code === 64 ? null : 1);
const group = (positions: Place[], part: Partial<Group> = {}): Group => ({ name: '', positions, target: { x: 1, y: 1, radius: 1 }, radius: 0.5, speed: 0.1, ...part });
const apart = (places: Place[]) => {
  let least = Infinity;
  places.forEach((a, k) => places.slice(k + 1).forEach((b) => (least = Math.min(least, Math.hypot(a[0] - b[0], a[1] - b[1])))));
  return least;
};

describe('room', () => {
  const cells = cellsOf('....\n.@..\n....');
  it('is where no wall and no border is touched', () => {
    expect(clear(cells, land, [0.5, 0.5], 0.5)).toBe(true);
    expect(clear(cells, land, [0.4, 0.5], 0.5)).toBe(false);
    expect(clear(cells, land, [2.5, 1.5], 0.5)).toBe(true);
    expect(clear(cells, land, [2.4, 1.5], 0.5)).toBe(false);
    expect(clear(cells, land, [2.3, 0.7], 0.4)).toBe(true); // past the corner
    expect(clear(cells, land, [1.5, 1.5], 0.1)).toBe(false);
  });
  it('is looked for nearby', () => {
    expect(nearestRoom(cells, (place) => clear(cells, land, place, 0.5), [1.6, 1.5])).toEqual([2.5, 1.5]);
    expect(nearestRoom(cells, () => false, [1, 1])).toBeNull();
  });
  it('is not where others are', () => {
    const crowd = new Crowd([group([[5, 5]], { radius: 2 })]);
    expect(crowd.free([7.4, 5], 0.5)).toBe(false);
    expect(crowd.free([7.5, 5], 0.5)).toBe(true);
  });
});

describe('units in an area', () => {
  const cells = cellsOf([...emptyMap(40, 30).split('\n').slice(0, 15), ...Array<string>(15).fill('.'.repeat(20) + '@'.repeat(20))].join('\n'));
  const standing = { cells, prices: land, crowd: new Crowd([]), radius: 0.5 };
  const area = rectangle([30, 25], [5, 5]);
  it('are as many as were asked for, spread out, clear of walls and each other', () => {
    for (const count of [1, 2, 10, 100]) {
      const places = placed(area, count, standing);
      expect(places).toHaveLength(count);
      expect(places.every((place) => clear(cells, land, place, 0.5))).toBe(true);
      expect(apart(places)).toBeGreaterThanOrEqual(1);
    }
    expect(apart(placed(area, 10, standing))).toBeGreaterThan(3);
  });
  it('are as many as fit without a number', () => {
    const places = placed(rectangle([0, 0], [10, 5]), null, standing);
    expect(places.length).toBeGreaterThan(35);
    expect(apart(places)).toBeGreaterThanOrEqual(1);
    expect(placed(rectangle([0, 0], [10, 5]), 600, standing).length).toBeLessThan(60);
  });
  it('keep to a disc', () => {
    const places = placed(disc([10, 10], 4), 20, standing);
    expect(places).toHaveLength(20);
    expect(places.every(([x, y]) => Math.hypot(x - 10, y - 10) <= 4.0001)).toBe(true);
  });
  it('keep clear of others, unless they may overlap', () => {
    const there = placed(rectangle([0, 0], [10, 5]), null, standing);
    const crowd = new Crowd([group(there)]);
    expect(placed(rectangle([0, 0], [10, 5]), 30, { ...standing, crowd })).toHaveLength(0);
    const over = placed(rectangle([0, 0], [10, 5]), 600, { ...standing, crowd: null });
    expect(over).toHaveLength(600);
    expect(over.every((place) => clear(cells, land, place, 0.5))).toBe(true);
  });
});

describe('agents', () => {
  const cells = cellsOf('......\n.@@@..\n@@@@@@\n..@...');
  it('start and end in one part of the map, each in a cell of its own', () => {
    const agents = randomAgents(cells, land, 6, 3);
    const main = new Set(parts(cells, land)[0].map((cell) => `${cell % 6},${Math.floor(cell / 6)}`));
    for (const end of ['start', 'goal'] as const) {
      expect(new Set(agents.map((agent) => String(agent[end]))).size).toBe(6);
      expect(agents.every((agent) => main.has(String(agent[end])))).toBe(true);
    }
    expect(randomAgents(cells, land, 6, 3)).toEqual(agents);
    expect(randomAgents(cells, land, 6, 4)).not.toEqual(agents);
    expect(randomAgents(cells, land, 99, 0)).toHaveLength(9);
  });
  it('are made of groups, two units of a cell apart', () => {
    const agents = agentsOf([group([[0.5, 0.5], [0.6, 0.5]], { target: { x: 4.5, y: 0.5, radius: 1 } })], cells, land);
    expect(agents.map(({ start }) => start)).toEqual([[0, 0], [1, 0]]);
    expect(new Set(agents.map(({ goal }) => String(goal))).size).toBe(2);
    expect(agents[0].goal).toEqual([4, 0]);
  });
});
