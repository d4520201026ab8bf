// How many have arrived, over the steps: one curve a run.
import type { Run } from '../run';

const MOST = 400; // steps at which a curve has a point

/** Steps for all curves, and of each run how many have arrived by them; null where its frames haven't come yet. */
export interface Curves {
  steps: number[];
  arrived: (number | null)[][];
}

export function curves(runs: (Run | null)[]): Curves {
  const last = Math.max(1, ...runs.map((run) => run?.steps ?? 0));
  const count = Math.min(last, MOST);
  const steps = Array.from({ length: count + 1 }, (_, k) => Math.round((k * last) / count));
  return { steps, arrived: runs.map((run) => counts(run, steps)) };
}

/** A run that is over keeps its count to the end of the longest one. */
function counts(run: Run | null, steps: number[]): (number | null)[] {
  if (run === null || run.come === 0) return steps.map(() => null);
  const complete = run.end >= run.steps;
  const sorted = run.arrival.filter((step) => step >= 0).sort();
  let k = 0;
  return steps.map((step) => {
    if (step > run.end && !complete) return null;
    while (k < sorted.length && sorted[k] <= step) k++;
    return k;
  });
}
