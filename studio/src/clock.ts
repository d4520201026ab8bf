// The clock of all panes: which step is shown, and how time goes on.
import { effect, signal } from '@preact/signals';

export const time = signal(0);
export const playing = signal(false);
/** Steps a second. */
export const speed = signal(60);
export const loop = signal(false);
export const bookmarks = signal<number[]>([]);
/** The last step that can be shown; set by who has the runs. */
export const end = signal(0);
/** The last step that there will be, while frames are still coming. */
export const final = signal(0);
/** Frames a second, of the last second in which something was played. */
export const rate = signal(0);

/** Who has the say over time in place of this clock, such as a simulation that goes on elsewhere. */
export interface Driver {
  play(): void;
  pause(): void;
  seek(step: number): void;
  step(by: number): void;
}

export const driver = signal<Driver | null>(null);

const ticks = new Set<() => void>();
let before = 0;
let counted = 0;
let since = 0;
let asked = false;

/** Call `draw` once before the next picture whenever something may have changed. */
export function onFrame(draw: () => void): () => void {
  ticks.add(draw);
  return () => ticks.delete(draw);
}

/** Something has changed: draw. */
export function redraw(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(frame);
}

function frame(now: number): void {
  asked = false;
  const passed = Math.min((now - before) / 1000, 0.25);
  before = now;
  if (playing.value) {
    if (driver.value === null) advance(passed);
    count(now);
  }
  for (const draw of ticks) draw();
  if (playing.value) redraw();
}

function advance(seconds: number): void {
  const next = time.value + seconds * speed.value;
  if (next < end.value) time.value = next;
  else if (end.value < final.value) time.value = end.value; // more will come
  else if (loop.value) time.value = 0;
  else {
    time.value = end.value;
    playing.value = false;
  }
}

function count(now: number): void {
  counted++;
  if (now - since < 1000) return;
  rate.value = (1000 * counted) / (now - since);
  counted = 0;
  since = now;
}

export function play(): void {
  if (driver.value !== null) return driver.value.play();
  if (time.value >= end.value && end.value >= final.value) time.value = 0;
  playing.value = true;
}

export function pause(): void {
  if (driver.value !== null) driver.value.pause();
  else playing.value = false;
}

export const toggle = () => (playing.value ? pause() : play());

/** Go to a step; stops playing unless told otherwise. */
export function seek(step: number, stop = true): void {
  const wanted = Math.min(Math.max(step, 0), Math.max(end.value, 0));
  if (driver.value !== null) return driver.value.seek(wanted);
  time.value = wanted;
  if (stop) pause();
}

export function step(by: number): void {
  if (driver.value !== null) driver.value.step(by);
  else seek(Math.round(time.value) + by);
}

export const faster = () => void (speed.value = Math.min(speed.value * 2, 7680));
export const slower = () => void (speed.value = Math.max(speed.value / 2, 0.9375));

export function bookmark(): void {
  const at = Math.round(time.value);
  const kept = bookmarks.value.filter((mark) => mark !== at);
  bookmarks.value = kept.length < bookmarks.value.length ? kept : [...kept, at].sort((a, b) => a - b);
}

effect(() => {
  if (playing.value) {
    before = performance.now();
    since = before;
    counted = 0;
    redraw();
  }
});
