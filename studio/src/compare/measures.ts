// What a run is compared by, and which of several is best where that can be said.
import type { Draft } from '../draft';
import type { Fact, Request, Sheet, Status } from '../pane';
import type { Run } from '../run';
import type { Value } from '../tables';

export interface Row {
  method: string;
  status: Status;
  words: string;
  units: number;
  /** How many arrive in the whole run. */
  arrived: number;
  /** Steps; null if nobody arrives. */
  last: number | null;
  mean: number | null;
  /** With walls and with units, of a unit that arrived, on average. */
  collisions: number | null;
  /** Seconds. */
  planning: number | null;
  valid: boolean;
}

/** A part of a pane, so that a test needs none. */
export interface Measured {
  request: Request;
  status: Status;
  words: string;
  run: Run | null;
  facts: Fact[];
  sheets: Sheet[];
}

export function rowOf({ request, status, words, run, facts, sheets }: Measured): Row {
  const steps = run === null ? [] : [...run.arrival].filter((step) => step >= 0);
  const fact = (name: string) => facts.flatMap(({ rows }) => rows).find(([row]) => row === name)?.[1];
  return {
    method: run?.head.method ?? request.method,
    status,
    words,
    units: run?.units ?? 0,
    arrived: steps.length,
    last: steps.length > 0 ? Math.max(...steps) : null,
    mean: steps.length > 0 ? steps.reduce((sum, step) => sum + step, 0) / steps.length : null,
    collisions: sum(counter(sheets, 'wall collisions'), counter(sheets, 'unit collisions')),
    planning: number(fact('planning')),
    valid: fact('valid') !== false,
  };
}

const number = (value: Value | Value[] | undefined) => (typeof value === 'number' ? value : null);

const sum = (a: Value | undefined, b: Value | undefined) => (typeof a === 'number' && typeof b === 'number' ? a + b : null);

/** The mean of a counter, from the table of counters. */
function counter(sheets: Sheet[], name: string): Value | undefined {
  for (const { columns, rows } of sheets) {
    const column = columns.indexOf('mean');
    const row = rows.find(([first]) => first === name);
    if (columns[0] === 'counter' && column > 0 && row !== undefined) return row[column];
  }
  return undefined;
}

export type Measure = 'last' | 'mean' | 'collisions';

/**
 * Which rows are best by a measure, several if they are equal. None unless at least two runs are over, are valid and have
 * brought in everybody: who leaves units behind has a shorter way for the others. Nor is anybody best if all are equal.
 */
export function best(rows: Row[], measure: Measure): ReadonlySet<number> {
  const fit = rows.map((row) => row.status === 'done' && row.valid && row.units > 0 && row.arrived === row.units && row[measure] !== null);
  const values = rows.filter((_, k) => fit[k]).map((row) => row[measure]!);
  const least = Math.min(...values);
  if (values.length < 2 || Math.max(...values) === least) return new Set();
  return new Set(rows.flatMap((row, k) => (fit[k] && row[measure] === least ? [k] : [])));
}

/** Whether runs may be compared at all: they were made of one draft with one seed. */
export function alike(made: { draft: Draft | null; seed: number }[]): boolean {
  return made.every(({ draft, seed }) => draft !== null && draft === made[0].draft && seed === made[0].seed);
}
