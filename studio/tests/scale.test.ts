import { expect, test } from 'vitest';
import { cellsOf, firstDraft, withScenario, type Formation } from '../src/draft';
import { sent } from '../src/edit/marching';
import { finer } from '../src/edit/scale';

test('a finer grid has four cells for each, and everything where it was', () => {
  const draft = withScenario(firstDraft(), { changes: [{ step: 5, terrain: '@', cells: [[28, 15]] }] });
  const next = finer(draft);
  const [before, after] = [cellsOf(draft.scenario.map.text), cellsOf(next.scenario.map.text)];
  expect([after.width, after.height]).toEqual([2 * before.width, 2 * before.height]);
  for (let y = 0; y < after.height; y++) {
    for (let x = 0; x < after.width; x++) expect(after.terrain[y * after.width + x]).toBe(before.terrain[(y >> 1) * before.width + (x >> 1)]);
  }
  expect(next.scenario.groups[0].positions[3]).toEqual(draft.scenario.groups[0].positions[3].map((value) => 2 * value));
  expect(next.scenario.groups[0].radius).toBe(draft.scenario.groups[0].radius);
  expect(next.scenario.changes[0].cells).toEqual([[56, 30], [57, 30], [56, 31], [57, 31]]);
});

const formation: Formation = {
  shape: 'box',
  units: 4,
  spacing: 1,
  start: [1, 1],
  azimuth: 0,
  order: [{ places: [[5, 5]] }, { places: [[9, 9]], time: 8 }],
  modules: {},
};

test('an order in a march replaces those after it, and none before', () => {
  expect(sent(formation, [7, 7], 3, false).order).toEqual([{ places: [[5, 5]] }, { places: [[7, 7]], time: 3 }]);
  expect(sent(formation, [7, 7], 8, false).order.at(-1)).toEqual({ places: [[7, 7]], time: 8 });
});

test('one more place belongs to the order of the same time', () => {
  expect(sent(formation, [7, 7], 8, true).order.at(-1)!.places).toEqual([[9, 9], [7, 7]]);
  expect(sent(formation, [7, 7], 0, false).order).toEqual([{ places: [[7, 7]], time: 0 }]);
});
