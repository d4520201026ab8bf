// The search that is played step by step: how far it is shown, and how fast it goes on.
import { effect, signal } from '@preact/signals';
import { redraw } from './clock';
import type { Search } from './search';

/** Steps of the search that are shown; Infinity: all. */
export const shownSteps = signal(Infinity);
export const running = signal(false);
/** Steps a second. */
export const pace = signal(40);
/** The vertex whose numbers the panel shows, -1: that of the last step. */
export const watched = signal(-1);

let timer = 0;
let last = 0;

/** Another search has come: show all of it. */
export function fresh(): void {
  halt();
  shownSteps.value = Infinity;
  watched.value = -1;
}

export function play(search: Search): void {
  if (shownSteps.value >= search.steps) shownSteps.value = 0;
  running.value = true;
  last = performance.now();
  const tick = (now: number) => {
    if (!running.value) return;
    shownSteps.value = Math.min(search.steps, shownSteps.value + ((now - last) / 1000) * pace.value);
    last = now;
    if (shownSteps.value >= search.steps) running.value = false;
    else timer = requestAnimationFrame(tick);
  };
  cancelAnimationFrame(timer);
  timer = requestAnimationFrame(tick);
}

export const halt = () => void (running.value = false);

export function move(search: Search, by: number): void {
  halt();
  const now = Math.min(shownSteps.value, search.steps);
  shownSteps.value = Math.min(Math.max(Math.floor(now) + by, 0), search.steps);
}

export function show(steps: number): void {
  halt();
  shownSteps.value = steps;
}

effect(() => {
  void [shownSteps.value, watched.value];
  redraw();
});
