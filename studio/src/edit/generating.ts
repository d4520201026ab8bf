// Maps from generators: asked for a moment after the last change of a slider, and put into the draft.
import { signal } from '@preact/signals';
import { failureText, type Failure } from '../client';
import { cellsOf, type Draft } from '../draft';
import * as store from '../store';
import type { Value } from '../tables';
import { lost, settled } from './settle';
import { prices } from './state';

export interface Wish {
  generator: string;
  width: number;
  height: number;
  seed: number;
  parameters: Record<string, Value>;
}

const PAUSE = 200; // ms without a change before a map is asked for

export const wish = signal<Wish>({ generator: '', width: 64, height: 48, seed: 0, parameters: {} });
/** How it goes; and what the generator says of the map that it made last. */
export const state = signal<{ busy: boolean; problem: string; notes: string[] }>({ busy: false, problem: '', notes: [] });

let timer = 0;
let job: string | null = null;
/** The draft when the map was asked for: if it is another one when the map comes, nobody wants it any more. */
let asked: Draft | null = null;
/** The draft that was made of the last map: another map takes its place, so that undo goes back to what was before. */
let made: Draft | null = null;

/** Change what is wished for; the map follows. */
export function wishFor(part: Partial<Wish>): void {
  wish.value = { ...wish.value, ...part };
  clearTimeout(timer);
  timer = window.setTimeout(generate, PAUSE);
}

export function generate(): void {
  if (job !== null) store.client.cancel(job);
  state.value = { busy: true, problem: '', notes: [] };
  asked = store.draft.value;
  job = store.client.start('generate', wish.value, (message) => {
    const { head } = message;
    if (head.kind === 'map') take(head.text as string, head.notes as string[]);
    if (head.kind === 'scene' && made === store.draft.value) store.sites.value = { text: made.scenario.map.text, scene: message };
    if (head.kind === 'failed') state.value = { busy: false, problem: failureText(head as unknown as Failure), notes: [] };
    if (head.kind === 'done') state.value = { ...state.value, busy: false };
    if (head.kind === 'failed' || head.kind === 'done') job = null;
  });
}

function take(text: string, notes: string[]): void {
  if (asked !== store.draft.value) return;
  const before = (made !== null && made === store.draft.value ? store.history.value.past.at(-1) : undefined) ?? store.draft.value;
  const next = settled(before, cellsOf(text), prices);
  state.value = { ...state.value, notes: [lost(before, next), ...notes].filter((note) => note !== '') };
  if (made !== null && made === store.draft.value) store.amend(next);
  else store.edit(next);
  made = next;
}
