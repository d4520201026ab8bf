import { expect, test } from 'vitest';
import { curves } from '../src/compare/curves';
import { columns, sameRun } from '../src/compare/rows';
import { alike, best, rowOf, type Row } from '../src/compare/measures';
import { firstDraft } from '../src/draft';
import { Run } from '../src/run';
import type { Message } from '../src/wire';

/** A run of units that arrive at given steps (-1: never), with a frame each step; so many frames have come. */
function runOf(arrival: number[], steps: number, come: number): Run {
  const n = arrival.length;
  const packed = (values: never, shape: number[]) => ({ values, shape });
  const head = { kind: 'run', job: '', units: n, steps, frames: steps + 1, groups: ['a'], method: 'm' };
  const run = new Run({
    head,
    arrays: {
      times: packed(Int32Array.from({ length: steps + 1 }, (_, k) => k) as never, [steps + 1]),
      radius: packed(new Float32Array(n) as never, [n]),
      group: packed(new Uint16Array(n) as never, [n]),
      route: packed(new Uint16Array(n) as never, [n]),
      arrival: packed(Int32Array.from(arrival) as never, [n]),
    },
  } as Message);
  if (come > 0) {
    const state = Uint8Array.from({ length: come * n }, (_, k) => (arrival[k % n] >= 0 && arrival[k % n] <= Math.floor(k / n) ? 2 : 0));
    run.take({
      head: { kind: 'frames', job: '', first: 0 },
      arrays: {
        positions: packed(new Float32Array(2 * n * come) as never, [come, n, 2]),
        headings: packed(new Float32Array(n * come) as never, [come, n]),
        state: packed(state as never, [come, n]),
      },
    });
  }
  return run;
}

test('a curve counts arrivals up to what has come, and a run that is over keeps its count', () => {
  const short = runOf([1, 3, 3, -1], 4, 5);
  const growing = runOf([2, 8, 9, 9], 10, 6);
  const { steps, arrived } = curves([short, growing, null]);
  expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(arrived[0]).toEqual([0, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3]);
  expect(arrived[1]).toEqual([0, 0, 1, 1, 1, 1, null, null, null, null, null]);
  expect(arrived[2].every((value) => value === null)).toBe(true);
});

test('under way is who has neither arrived nor been removed', () => {
  const run = runOf([1, 3, 3, -1], 4, 5);
  expect([0, 1, 2, 3, 4].map((step) => run.underWay(step))).toEqual([4, 3, 3, 1, 1]);
});

const row = (part: Partial<Row>): Row => ({
  method: 'm', status: 'done', words: '', units: 10, arrived: 10, last: 100, mean: 50, collisions: 1, planning: 1, valid: true, ...part,
});

test('the best has the least value, and equals are best together', () => {
  expect([...best([row({}), row({ last: 90 }), row({ last: 90 })], 'last')]).toEqual([1, 2]);
  expect(best([row({}), row({})], 'last').size).toBe(0);
});

test('who leaves units behind, is not valid or not done is not the best', () => {
  const worse = [row({ last: 10, arrived: 9 }), row({ last: 20, valid: false }), row({ last: 30, status: 'busy' })];
  expect([...best([...worse, row({}), row({ last: 110 })], 'last')]).toEqual([3]);
  expect(best([...worse, row({})], 'last').size).toBe(0);
});

test('a row has what the pane knows', () => {
  const found = rowOf({
    request: { family: 'group', method: 'asked', options: {}, seed: 0 },
    status: 'done',
    words: '',
    run: runOf([1, 3, 3, -1], 4, 5),
    facts: [{ title: 'Results', rows: [['planning', 0.5], ['valid', true]] }],
    sheets: [{ title: 'Counters', columns: ['counter', 'median', 'mean'], rows: [['wall collisions', 1, 2], ['unit collisions', 3, 4]] }],
  });
  expect(found).toMatchObject({ method: 'm', units: 4, arrived: 3, last: 3, mean: 7 / 3, collisions: 6, planning: 0.5, valid: true });
});

test('runs are alike if draft and seed are the same', () => {
  const draft = firstDraft();
  expect(alike([{ draft, seed: 1 }, { draft, seed: 1 }])).toBe(true);
  expect(alike([{ draft, seed: 1 }, { draft, seed: 2 }])).toBe(false);
  expect(alike([{ draft, seed: 1 }, { draft: firstDraft(), seed: 1 }])).toBe(false);
  expect(alike([{ draft: null, seed: 1 }, { draft: null, seed: 1 }])).toBe(false);
});

test('drafts with the same map and units are of the same run, whatever their names', () => {
  const draft = firstDraft();
  const named = { ...draft, scenario: { ...draft.scenario, name: 'other', note: 'x' } };
  const moved = { ...draft, scenario: { ...draft.scenario, groups: [{ ...draft.scenario.groups[0], speed: 1 }] } };
  expect(sameRun(draft, named)).toBe(true);
  expect(sameRun(draft, moved)).toBe(false);
});

test('a folder shows a few columns, its scenario only where there are several', () => {
  const names = ['scenario', 'method', 'seed', 'status', 'units', 'finished', 'last_arrival', 'replans_sum', 'trace'];
  const table = { title: '', folder: '', done: 2, total: 2, columns: names, rows: [['a', 'm', 0, 'ok', 9, 9, 5, 0, null], ['a', 'n', 0, 'ok', 9, 9, 6, 0, null]] };
  expect(columns(table, false).map((k) => names[k])).toEqual(['method', 'seed', 'status', 'finished', 'last_arrival']);
  expect(columns(table, true).map((k) => names[k])).toEqual(names.slice(0, -1));
  table.rows[1][0] = 'b';
  expect(names[columns(table, false)[0]]).toBe('scenario');
});
