// Why a unit is where it is: sentences, and what they speak of on the map.
import { signal } from '@preact/signals';
import * as clock from '../clock';
import { failureText, type Failure } from '../client';
import type { Pane } from '../pane';
import * as store from '../store';
import type { Message } from '../wire';
import * as live from './live';

export interface Answer {
  pane: Pane;
  unit: number;
  step: number;
  sentences: string[];
}

export const answer = signal<Answer | null>(null);
export const asking = signal(false);

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
  if (job !== null) store.client.cancel(job);
  clock.pause();
  asking.value = true;
  const args = { of: pane.key.value, unit, step: Math.round(clock.time.value) };
  job = store.client.start('why', args, (message) => heard(pane, message));
}

function heard(pane: Pane, message: Message): void {
  const { head } = message;
  if (head.kind === 'why') {
    answer.value = { pane, unit: head.unit as number, step: head.step as number, sentences: head.sentences as string[] };
  } else if (head.kind === 'scene') pane.add(message);
  if (head.kind === 'failed') {
    answer.value = { pane, unit: store.unit.value, step: Math.round(clock.time.value), sentences: [failureText(head as unknown as Failure)] };
  }
  if (head.kind === 'done' || head.kind === 'failed') {
    asking.value = false;
    job = null;
  }
}

// In a live run the answer comes among the run's own messages.
live.pane.listeners.add((message) => {
  if (message.head.kind === 'why') heard(live.pane, message);
});

/** Forget the answer and what it shows on the map. */
export function forget(): void {
  answer.value?.pane.drop('why');
  answer.value = null;
}
