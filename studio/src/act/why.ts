// Why a unit is where it is: sentences, and what they speak of on the map.
import { effect, signal, untracked } from '@preact/signals';
import * as clock from '../clock';
import { failureText, type Failure } from '../client';
import type { Pane } from '../pane';
import type { Run } from '../run';
import * as store from '../store';
import type { Message } from '../wire';
import * as live from './live';

/** The run that was asked about, and whose it is. */
interface Asked {
  pane: Pane;
  run: Run;
}

export interface Answer extends Asked {
  unit: number;
  step: number;
  sentences: string[];
}

export const answer = signal<Answer | null>(null);
/** What is sought now. */
export const asking = signal<Asked | null>(null);

let job: string | null = null;

/** Whether it can be told why units are where they are: runs of groups can be simulated again, and live runs go on. */
export const answers = (pane: Pane) => pane === live.pane || (pane.kind === 'group' && pane.key.value !== null);

/** Ask about the chosen unit at the step that is shown. */
export function ask(): void {
  const pane = store.current.value;
  const unit = store.unit.value;
  if (unit < 0 || !answers(pane)) return;
  if (pane === live.pane) {
    live.why(unit);
    return;
  }
  const run = pane.run.value;
  if (run === null) return;
  if (job !== null) store.client.cancel(job);
  clock.pause();
  asking.value = { pane, run };
  const args = { of: pane.key.value, unit, step: Math.round(clock.time.value) };
  job = store.client.start('why', args, (message) => heard({ pane, run }, message));
}

function heard(asked: Asked, message: Message): void {
  const { head } = message;
  if (head.kind === 'why') {
    answer.value = { ...asked, unit: head.unit as number, step: head.step as number, sentences: head.sentences as string[] };
  } else if (head.kind === 'scene') asked.pane.add(message);
  if (head.kind === 'failed') {
    answer.value = { ...asked, unit: store.unit.value, step: Math.round(clock.time.value), sentences: [failureText(head as unknown as Failure)] };
  }
  if (head.kind === 'done' || head.kind === 'failed') {
    asking.value = null;
    job = null;
  }
}

// In a live run the answer comes among the run's own messages.
live.pane.listeners.add((message) => {
  const run = live.pane.run.value;
  if (message.head.kind === 'why' && run !== null) heard({ pane: live.pane, run }, message);
});

/** Forget the answer and what it shows on the map; one that is still sought is not wanted any more. */
export function forget(): void {
  if (job !== null) store.client.cancel(job);
  job = null;
  asking.value = null;
  answer.value?.pane.drop('why');
  answer.value = null;
}

// A run that begins anew has other answers.
effect(() => {
  const gone = [answer.value, asking.value].some((asked) => asked !== null && asked.pane.run.value !== asked.run);
  if (gone) untracked(forget);
});

let map = '';

// Nor does anybody ask about the old map when there is another one.
effect(() => {
  const { text } = store.draft.value.scenario.map;
  if (text !== map) untracked(forget);
  map = text;
});
