// A results folder of `anabasis compare`: its table, which grows while it is still running, and the runs it has kept.
import { effect } from '@preact/signals';
import { open as openDraft, client, draft, mode, notice, panes, results, type ResultsTable } from '../store';
import type { Draft } from '../draft';
import type { Value } from '../tables';
import type { Message } from '../wire';
import * as contest from './contest';

const PAUSE = 2000; // ms until a folder that is not complete is read again

const path = (name: string) => `api/open?path=${encodeURIComponent(name)}`;

/** Columns worth a first look; where a folder has none of them, its first ones are shown. */
const FIRST = ['scenario', 'method', 'seed', 'status', 'finished', 'last_arrival', 'middle_arrival', 'unit_collisions_mean', 'cost', 'sum_of_costs', 'makespan'];

/** The numbers of the columns that are shown; the last one, with the way to the trace, is a button. */
export function columns({ columns: names, rows }: ResultsTable, all: boolean): number[] {
  const told = (k: number) => names[k] !== 'scenario' || all || rows.some((row) => row[k] !== rows[0][k]);
  const values = names.map((_, k) => k).filter((k) => names[k] !== 'trace' && told(k));
  const chosen = values.filter((k) => FIRST.includes(names[k]));
  return all ? values : chosen.length > 4 ? chosen : values.slice(0, 8);
}

export async function open(name: string): Promise<void> {
  const messages = await fetched(name);
  const found = messages?.find((message) => message.head.kind === 'table');
  if (found !== undefined) results.value = found.head as unknown as ResultsTable;
}

/** Show a run of the folder: on a stage that has none yet, else on one more, else on the last. */
export async function openRun(table: ResultsTable, row: Value[]): Promise<void> {
  const trace = row[table.columns.indexOf('trace')];
  const method = row[table.columns.indexOf('method')];
  const messages = await fetched(`${table.folder}/${trace}`);
  if (messages === null) return;
  const made = messages.find((message) => message.head.kind === 'draft')?.head.draft as Draft | undefined;
  if (made !== undefined && !sameRun(made, draft.value)) openDraft(made);
  if (panes.value.every((pane) => pane.run.value !== null)) contest.add();
  const pane = panes.value.find((one) => one.run.value === null) ?? panes.value.at(-1)!;
  pane.clear();
  if (typeof method === 'string') pane.request.value = { ...pane.request.value, method, options: {} };
  for (const { head, arrays } of messages) pane.take({ head: head.kind === 'run' ? { ...head, method } : head, arrays });
  pane.draft.value = draft.value;
  pane.status.value = 'done';
}

/** Whether two drafts are of the same map and the same units, however they are called. */
export function sameRun(a: Draft, b: Draft): boolean {
  const what = ({ scenario }: Draft) => {
    const groups = scenario.groups.map(({ positions, target, radius, speed }) => [positions, target.x, target.y, target.radius, radius, speed]);
    return JSON.stringify([scenario.map.text.trim(), groups, scenario.changes.length]);
  };
  return what(a) === what(b);
}

async function fetched(name: string): Promise<Message[] | null> {
  try {
    const messages = await client.messages(path(name));
    const failed = messages.find((message) => message.head.kind === 'failed');
    if (failed === undefined) return messages;
    notice.value = `${failed.head.problem}`;
  } catch (error) {
    notice.value = (error as Error).message;
  }
  return null;
}

effect(() => {
  const table = results.value;
  if (table === null || mode.value !== 'compare' || table.done >= table.total) return;
  const timer = setTimeout(() => void open(table.folder), PAUSE);
  return () => clearTimeout(timer);
});
