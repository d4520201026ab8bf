// The state of the page, and what can be done to it.
import { batch, effect, signal } from '@preact/signals';
import type { ResultsTable } from './compare/rows';
import { Client, failureText, type Failure } from './client';
import * as clock from './clock';
import type { Draft } from './draft';
import { groundFor } from './ground';
import { amended, begin, did, redo as forth, undo as back, type History } from './history';
import type { Pane, Request } from './pane';
import { show } from './searching';
import type { Tables } from './tables';
import { act, camera, current, draft, history, mode, panes, sites, unit } from './view';
import type { Message } from './wire';

export * from './view';

export const client = new Client(location.href);
export const linked = signal(true);
client.onlink = (is) => (linked.value = is);

export const tables = signal<Tables | null>(null);
/** A sentence for the user, such as why something did not work. */
export const notice = signal('');
/** What F5 does in place of asking for what the request says. */
export const beginning = signal<(() => void) | null>(null);
/** The file that is being edited, empty if it has no name yet. */
export const file = signal('');

/** The table of a results folder that was opened. */
export const results = signal<ResultsTable | null>(null);

/** Contestants without a stage. */
export const others = signal<Pane[]>([]);
/** Contestants who wait while something else than comparing is done. */
export const away = signal<Pane[]>([]);
/** Overlays of the first pane when it is not compared; null while it isn't. */
export const usual = signal<ReadonlySet<string> | null>(null);

/** Forget what a pane shows and end what it is at: nothing can come any more. */
export function forget(pane: Pane): void {
  pane.cancel(client);
  pane.clear();
}

function forgetAll(): void {
  for (const pane of [...panes.value, ...others.value, ...away.value]) forget(pane);
}

/** Results of another map go: on this one they would stand in its walls. */
function put(next: History<Draft>): void {
  if (next.now.scenario.map.text !== draft.value.scenario.map.text) forgetAll();
  history.value = next;
}

/** Make a new draft of the present one. */
export const edit = (next: Draft) => put(did(history.value, next));

/** Change the present draft so that undo goes to the one before it. */
export const amend = (next: Draft) => put(amended(history.value, next));

/** What was asked for, and the name of the file, on both sides of the opening of a draft. */
interface Opening {
  before: [Request, string];
  after?: [Request, string];
}

const openings = new WeakMap<Draft, Opening>();

const around = (): [Request, string] => [panes.value[0].request.value, file.value];

function turn([request, name]: [Request, string]): void {
  panes.value[0].request.value = request;
  file.value = name;
  camera.value = null;
}

/** Go back to the draft before; from one that was opened, to what was asked for before, too. */
export function undo(): void {
  if (history.value.past.length === 0) return;
  const opening = openings.get(draft.value);
  batch(() => {
    put(back(history.value));
    if (opening === undefined) return;
    opening.after = around();
    turn(opening.before);
  });
}

export function redo(): void {
  const [next] = history.value.future;
  const opening = next && openings.get(next);
  batch(() => {
    put(forth(history.value));
    if (opening?.after === undefined) return;
    opening.before = around();
    turn(opening.after);
  });
}

/** Open a draft as a new beginning; `back`: undo still leads to what was there. */
export function open(next: Draft, name = '', back = false): void {
  forgetAll();
  if (back) openings.set(next, { before: around() });
  history.value = back ? did(history.value, next) : begin(next);
  act.value = 'playback';
  file.value = name;
  camera.value = null;
  clock.seek(0);
}

/** Take the messages of a file that was opened or dropped. One that can't be read changes nothing. */
export function opened(messages: Message[], name: string, back = false): void {
  const failed = messages.find((message) => message.head.kind === 'failed');
  if (failed !== undefined) {
    notice.value = failureText(failed.head as unknown as Failure);
    return;
  }
  notice.value = '';
  const found = messages.find((message) => message.head.kind === 'draft');
  if (found !== undefined) open(found.head.draft as Draft, name, back);
  else {
    act.value = 'playback';
    forget(current.value);
    current.value.cells.value = groundFor(messages);
    current.value.apart.value = current.value.cells.value === null ? '' : name;
    camera.value = null;
  }
  for (const message of messages) {
    if (message.head.name === 'sites') sites.value = { text: draft.value.scenario.map.text, scene: message };
    else if (message.head.kind !== 'done') current.value.take(message);
  }
  if (messages.some((message) => message.head.kind === 'run')) {
    current.value.draft.value = draft.value;
    current.value.status.value = 'done';
    mode.value = 'run';
  }
  const table = messages.find((message) => message.head.kind === 'table' && 'folder' in message.head);
  if (table !== undefined) {
    results.value = table.head as unknown as ResultsTable;
    mode.value = 'compare';
  }
}

/** Ask for what the request says. */
export function start(pane: Pane): void {
  const { family, method, options, seed } = pane.request.value;
  clock.seek(0);
  unit.value = -1;
  show(Infinity); // of another search all steps
  pane.start(client, family, draft.value, { method, options, seed });
}

/** Choose the next method of the family, or one before, from the last to the first again. */
export function leafMethods(by: number): void {
  const { request } = current.value;
  const names = tables.value?.methods.filter((row) => row.family === request.value.family).map((row) => row.name) ?? [];
  const method = names[(names.indexOf(request.value.method) + by + names.length) % names.length];
  if (method !== undefined) request.value = { ...request.value, method, options: {} };
}

export const cancel = (pane: Pane) => pane.cancel(client);

/** Go to a step as soon as there is one. */
export function reach(step: number): void {
  const stop = effect(() => {
    if (step > 0 && clock.end.value >= step) {
      clock.time.value = step;
      queueMicrotask(() => stop());
    }
  });
}
