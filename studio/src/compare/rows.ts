// What is shown of a results folder, and which of its runs can stand beside those of the page.
import type { Draft } from '../draft';
import type { Sheet } from '../pane';

/** The table of a results folder. */
export interface ResultsTable extends Sheet {
  folder: string;
  /** Runs that are over, of how many. */
  done: number;
  total: number;
  reasons?: string[];
}

/** Columns worth a first look; where a folder has none of them, its first ones are shown. */
const FIRST = ['scenario', 'method', 'seed', 'status', 'finished', 'last_arrival', 'middle_arrival', 'unit_collisions_mean', 'cost', 'sum_of_costs', 'makespan'];

/** The numbers of the columns that are shown; the last one, with the way to the trace, is a button. */
export function columns({ columns: names, rows }: ResultsTable, all: boolean): number[] {
  const told = (k: number) => names[k] !== 'scenario' || all || rows.some((row) => row[k] !== rows[0][k]);
  const values = names.map((_, k) => k).filter((k) => names[k] !== 'trace' && told(k));
  const chosen = values.filter((k) => FIRST.includes(names[k]));
  return all ? values : chosen.length > 4 ? chosen : values.slice(0, 8);
}

/** Whether two drafts are of the same map and the same units, however they are called. */
export function sameRun(a: Draft, b: Draft): boolean {
  const what = ({ scenario }: Draft) => {
    const groups = scenario.groups.map(({ positions, target, radius, speed }) => [positions, target.x, target.y, target.radius, radius, speed]);
    return JSON.stringify([scenario.map.text.trim(), groups, scenario.changes.length]);
  };
  return what(a) === what(b);
}
