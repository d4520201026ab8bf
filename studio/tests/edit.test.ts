import { describe, expect, it } from 'vitest';
import { cellsOf, emptyMap, firstDraft, type Draft, type Place } from '../src/draft';
import { contentsOf, freeShare } from '../src/edit/contents';
import { EXAMPLES } from '../src/edit/examples';
import { Crowd } from '../src/edit/crowd';
import { astray, lost, movedOut, settled, stands } from '../src/edit/settle';
import { pricesOf } from '../src/edit/terrain';
import { amended, begin, did, undo } from '../src/history';
import type { Tables } from '../src/tables';

const prices = () => (code: number) => (code === 64 ? null : 1);

describe('what a draft holds', () => {
  const told = (draft: Draft) => Object.fromEntries(contentsOf(draft, cellsOf(draft.scenario.map.text), 96));
  it('is counted', () => {
    const draft = firstDraft();
    expect(told(draft)).toEqual({ map: '56 × 32 cells', free: '96 %', groups: '64 units in 1', agents: 'none', formations: 'none', 'one unit': 'start and goal' });
    const ends = { start: null, goal: draft.ends.goal };
    draft.scenario.changes = [{ step: 5, terrain: '@', cells: [[1, 1]] }];
    expect(told({ ...draft, ends, agents: [{ start: [1, 1], goal: [2, 2] }] })).toMatchObject({ 'changes of the map': '1', agents: '1', 'one unit': 'no start' });
    const wedge = { shape: 'wedge', units: 9, spacing: 2, start: [4, 4] as Place, azimuth: 0, order: [], modules: {} };
    const spots = { spots: [[0, 0], [1, 2]] as Place[], commander: [0, 0], start: [9, 9] as Place, azimuth: 0, order: [], modules: {} };
    expect(told({ ...draft, formations: [wedge, spots] }).formations).toBe('11 units in 2');
    draft.scenario.groups = [];
    expect(told(draft).groups).toBe('no units');
  });
  it('says 0 and 100 % only where they are true', () => {
    const free = (text: string) => freeShare(cellsOf(text), prices());
    const row = '.'.repeat(300);
    expect([free(row), free(`@${row}`), free('@'.repeat(300)), free(`.${'@'.repeat(300)}`)]).toEqual([100, 99, 0, 1]);
  });
});

describe('another map', () => {
  const draft: Draft = { ...firstDraft(), agents: [{ start: [1, 1], goal: [50, 1] }] };
  draft.scenario.changes = [
    { step: 5, terrain: '@', rectangle: { x: 8, y: 2, width: 10, height: 3 } },
    { step: 5, terrain: '@', rectangle: { x: 40, y: 2, width: 1, height: 1 } },
  ];
  const small = cellsOf(emptyMap(12, 12));
  const next = settled(draft, small, prices);
  it('says what it has no place for', () => {
    expect(lost(draft, next)).toBe('No place on this map for 1 agent, 1 change of the map: undo brings them back.');
    expect(lost(draft, draft)).toBe('');
    const tiny = settled(draft, cellsOf(emptyMap(1, 1)), prices);
    expect(lost(draft, tiny)).toContain(`${draft.scenario.groups[0].positions.length - 1} units`);
  });
  it('keeps all units, in their places or near them, and none above another', () => {
    const before = draft.scenario.groups[0].positions;
    const after = next.scenario.groups[0].positions;
    expect(after).toHaveLength(before.length);
    expect(astray(next, small, prices).flat()).toEqual([]);
    const crowd = new Crowd([]);
    for (const place of after) {
      expect(crowd.free(place, 0.5)).toBe(true);
      crowd.add(place, 0.5);
    }
    expect(after[0]).toEqual(before[0]);
  });
  it('has targets and ends on it, doors cut, and no agent that is outside', () => {
    const { x, y } = next.scenario.groups[0].target;
    expect(stands(small, prices(), [x, y])).toBe(true);
    expect(stands(small, prices(), next.ends.goal!)).toBe(true);
    expect(next.ends.goal!.every(Number.isInteger)).toBe(true);
    expect(next.scenario.changes.map((change) => change.rectangle)).toEqual([{ x: 8, y: 2, width: 4, height: 3 }]);
    expect(next.agents).toEqual([]);
  });
  it('changes nothing of the draft before it', () => {
    expect(draft.scenario.groups[0].positions).toHaveLength(firstDraft().scenario.groups[0].positions.length);
    expect(cellsOf(draft.scenario.map.text).width).toBe(56);
  });
});

describe('units in walls', () => {
  it('are found and moved out, others stay', () => {
    const draft = firstDraft();
    draft.scenario.map.text = '....\n.@..\n....';
    draft.scenario.groups[0].positions = [[1.5, 1.5], [0.5, 0.5], [9, 9]];
    const cells = cellsOf(draft.scenario.map.text);
    expect(astray(draft, cells, prices)).toEqual([[0, 2]]);
    const after = movedOut(draft, cells, prices);
    expect(after.scenario.groups[0].positions[1]).toEqual([0.5, 0.5]);
    expect(astray(after, cells, prices)).toEqual([[]]);
    expect(movedOut(after, cells, prices)).toBe(after);
  });
});

describe('prices', () => {
  const tables = { movements: ['land', 'water'], terrain: [{ letter: '.', name: 'ground', prices: { land: 1, water: null } }, { letter: 'f', name: 'wood', prices: { land: 2, water: null } }] };
  const of = (name: string | undefined, letter: string) => pricesOf(tables as unknown as Tables, name)(letter.charCodeAt(0));
  it('are those of the class, land if none is named', () => {
    expect([of(undefined, 'f'), of('land', '.'), of('water', '.'), of('land', '@')]).toEqual([2, 1, null, null]);
  });
  it('can be written out', () => {
    expect([of('.f:1 G:2.5', 'f'), of('.f:1 G:2.5', 'G'), of('.f:1', 'W')]).toEqual([1, 2.5, null]);
  });
});

describe('examples', () => {
  it.each(EXAMPLES.map((example) => [example.name, example] as const))('%s: everybody stands where they can', (_, { make }) => {
    const draft = make();
    const cells = cellsOf(draft.scenario.map.text);
    const on = (place: Place) => expect(stands(cells, prices(), place)).toBe(true);
    expect(astray(draft, cells, prices).flat()).toEqual([]);
    for (const group of draft.scenario.groups) on([group.target.x, group.target.y]);
    for (const agent of draft.agents) [agent.start, agent.goal].forEach(on);
    for (const formation of draft.formations) [formation.start, ...formation.order[0].places].forEach(on);
    for (const end of [draft.ends.start, draft.ends.goal]) if (end !== null) on(end);
    const { scenario, agents, formations, ends } = draft;
    expect(scenario.groups.length + agents.length + formations.length + Number(ends.goal !== null)).toBeGreaterThan(0);
  });
});

describe('history', () => {
  it('forgets a value that was put in the place of another', () => {
    const history = amended(did(begin('a'), 'b'), 'c');
    expect(history.now).toBe('c');
    expect(undo(history).now).toBe('a');
  });
});
