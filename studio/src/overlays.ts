// Pictures of the map that are asked for by name: clearance, regions, gates, network, fields.
import { effect, signal } from '@preact/signals';
import type { Draft } from './draft';
import type { Pane } from './pane';
import * as store from './store';
import { changed, type Overlay, type Value } from './tables';

/** What the page asked for, by the overlay's name: its parameters. */
export const wanted = signal<Record<string, Record<string, Value>>>({});
/** Why an overlay could not be made, by its name. */
export const faults = signal<Record<string, string>>({});

const asked = new Map<string, string>(); // the job that works on an overlay

/** Show an overlay of the table, or no more. */
export function toggle(pane: Pane, overlay: Overlay): void {
  const { [overlay.name]: before, ...rest } = wanted.value;
  if (before !== undefined) {
    wanted.value = rest;
    end(overlay.name);
    pane.drop(overlay.name);
  } else set(pane, overlay, {});
}

/** Ask for an overlay with these parameters. */
export function set(pane: Pane, overlay: Overlay, parameters: Record<string, Value>): void {
  wanted.value = { ...wanted.value, [overlay.name]: changed(overlay.parameters, parameters) };
  ask(pane, overlay.name, store.draft.value);
}

/** Change the fineness of the cut of all overlays that have one: the next or the one before. */
export function leaf(pane: Pane, by: number): void {
  for (const overlay of store.tables.value?.overlays ?? []) {
    const field = overlay.parameters.find((one) => one.name === 'set');
    const values = wanted.value[overlay.name];
    if (field === undefined || values === undefined) continue;
    const now = Number(values.set ?? field.default) + by;
    set(pane, overlay, { ...values, set: Math.min(Math.max(now, field.low ?? 0), field.high ?? now) });
  }
}

/** What was asked for and has not come is not wanted any more. */
function end(name: string): void {
  const job = asked.get(name);
  if (job !== undefined) store.client.cancel(job);
  asked.delete(name);
}

function ask(pane: Pane, name: string, draft: Draft): void {
  end(name);
  const { [name]: _, ...others } = faults.value;
  faults.value = others;
  const job = store.client.start('overlay', { draft, name, parameters: wanted.value[name] }, (message) => {
    if (draft !== store.draft.value || asked.get(name) !== job) return; // another one is under way, or none is wanted
    if (message.head.kind === 'scene') pane.add(message, true);
    if (message.head.kind === 'failed') faults.value = { ...faults.value, [name]: message.head.problem as string };
  });
  asked.set(name, job);
}

const QUIET = 300; // ms without an edit before overlays are made anew
let timer = 0;
let last: Draft | null = null;

// What is shown follows the draft.
effect(() => {
  const draft = store.draft.value;
  const pane = store.current.value;
  clearTimeout(timer);
  if (last === draft) return;
  last = null;
  timer = window.setTimeout(() => {
    last = draft;
    for (const name of Object.keys(wanted.peek())) ask(pane, name, draft);
  }, QUIET);
});
