// A results folder of `anabasis compare`: its table, which grows while it is still running, and the runs it has kept.
import { effect } from '@preact/signals';
import { open as openDraft, client, draft, forget, mode, notice, panes, results } from '../store';
import type { Draft } from '../draft';
import type { Value } from '../tables';
import type { Message } from '../wire';
import * as contest from './contest';
import { sameRun, type ResultsTable } from './rows';

const PAUSE = 2000; // ms until a folder that is not complete is read again

const path = (name: string) => `api/open?path=${encodeURIComponent(name)}`;

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
  forget(pane);
  if (typeof method === 'string') pane.request.value = { ...pane.request.value, method, options: {} };
  for (const { head, arrays } of messages) pane.take({ head: head.kind === 'run' ? { ...head, method } : head, arrays });
  pane.draft.value = draft.value;
  pane.status.value = 'done';
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
