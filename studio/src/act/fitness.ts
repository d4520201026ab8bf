// A formation whose units are moved by hand: the server measures it, the page shows and drags.
import { effect, signal } from '@preact/signals';
import { failureText, type Failure } from '../client';
import * as clock from '../clock';
import { cellsOf, type Formation, type Place } from '../draft';
import { ring } from '../marks';
import { toView } from '../stage/camera';
import { css, ground, GROUPS } from '../stage/palette';
import * as store from '../store';
import type { Message, Numbers } from '../wire';

export const pane = store.actors.formation!;
pane.shown.value = new Set(['fitness']);

/** Ways to make one error of those of angles and of distances. */
export const WAYS = ['angle', 'distance', 'max', 'min', 'geometric', 'mean', 'harmonic'];

export interface Measured {
  how: string;
  error: number;
  measures: Record<string, number>;
  leader: number;
}

export interface Experiment {
  ways: string[];
  /** A row for each way, a column for the start and for each iteration. */
  angle: Numbers;
  distance: Numbers;
}

export const measured = signal<Measured | null>(null);
export const experiment = signal<Experiment | null>(null);
export const how = signal('mean');
/** Which formation of the draft; where it has none, one of this shape is made. */
export const number = signal(0);
export const shape = signal({ shape: 'wedge', units: 9, spacing: 2 });
export const heat = signal(true);
export const words = signal('');

let positions = new Float32Array(0);
let bindings: Numbers = new Int32Array(0);
let waiting: { unit: number; to: Place } | null = null; // a move that is not sent yet
let answered = true;
let seed = 0;

/** A formation in the middle of the map, for drafts that have none. */
function made(): Formation {
  const { width, height } = store.cells.value;
  const middle: Place = [width / 2, height / 2];
  return { ...shape.value, start: middle, azimuth: 0, order: [{ places: [middle] }], modules: {} };
}

export function begin(): void {
  const draft = store.draft.value;
  measured.value = null;
  experiment.value = null;
  words.value = '';
  waiting = null;
  answered = true;
  const own = draft.formations.length > 0 ? draft : { ...draft, formations: [made()] };
  const formation = Math.min(number.value, own.formations.length - 1);
  pane.start(store.client, 'fitness', own, { formation, how: how.value });
}

function tell(say: string, told: Record<string, unknown> = {}): void {
  if (pane.job !== null) store.client.tell(pane.job, say, told);
}

export function choose(unit: number): void {
  store.unit.value = unit;
  showHeat();
}

function showHeat(): void {
  if (heat.value && store.unit.value >= 0) tell('map', { unit: store.unit.value });
  else pane.drop('fitness');
}

export function setHeat(on: boolean): void {
  heat.value = on;
  showHeat();
}

/** Put a unit somewhere; what is measured follows as fast as the server answers. */
export function move(unit: number, to: Place): void {
  positions.set(to, 2 * unit);
  show();
  waiting = { unit, to };
  flush();
}

function flush(): void {
  if (waiting === null || !answered) return;
  tell('move', { ...waiting });
  answered = false;
  waiting = null;
}

export const where = (unit: number): Place => [positions[2 * unit], positions[2 * unit + 1]];
export const reset = () => tell('reset');
export const randomise = () => tell('randomise', { seed: seed++ });
export const optimise = () => tell('optimise', { seed: seed++ });
export function enough(): void {
  tell('enough');
  pane.progress.value = null;
}

export function analyse(): void {
  experiment.value = null;
  tell('analyse', { formations: 10, iterations: 10, seed: 0 });
}

export function combine(name: string): void {
  how.value = name;
  tell('choose', { how: name });
  showHeat();
}

/** Show the units where they are now, as the run of this pane. */
function show(): void {
  const n = positions.length / 2;
  const head = { kind: 'frames', job: '', first: 0 };
  const arrays = {
    positions: { values: positions, shape: [1, n, 2] },
    headings: { values: new Float32Array(n).fill(-Math.PI / 2), shape: [1, n] },
    state: { values: new Uint8Array(n), shape: [1, n] },
  };
  pane.take({ head, arrays });
}

function stand(leader: number): void {
  const n = positions.length / 2;
  if (pane.run.value?.units !== n) {
    const head = { kind: 'run', job: '', units: n, steps: 0, frames: 1, groups: ['units', 'leader'], live: true, stays: true };
    const group = new Uint16Array(n);
    group[leader] = 1;
    const one = (values: Numbers) => ({ values, shape: [values.length] });
    const arrays = {
      times: one(new Int32Array(1)),
      radius: one(new Float32Array(n).fill(0.5)),
      group: one(group),
      route: one(new Uint16Array(n)),
      arrival: one(new Int32Array(n).fill(-1)),
    };
    pane.take({ head, arrays });
  }
  show();
}

function heard({ head, arrays }: Message): void {
  if (head.kind === 'fitness') {
    measured.value = head as unknown as Measured;
    answered = true;
    bindings = arrays.bindings.values;
    const fresh = head.unit === null;
    // What is under the pointer is ahead of what has been measured.
    if (fresh || waiting === null) {
      positions = Float32Array.from(arrays.positions.values);
      stand(head.leader as number);
    }
    if (fresh) pane.cells.value ??= cellsOf(pane.draft.value!.scenario.map.text);
    if (fresh) showHeat();
    flush();
  } else if (head.kind === 'experiment') {
    experiment.value = {
      ways: head.ways as string[],
      angle: arrays.angle_median.values,
      distance: arrays.distance_median.values,
    };
  } else if (head.kind === 'refused') {
    words.value = failureText(head as unknown as Failure);
    answered = true;
    flush();
  }
}

pane.listeners.add(heard);

pane.marks = (context, camera, view) => {
  const run = pane.run.value;
  if (run === null) return;
  const at = (unit: number) => toView(camera, view, where(unit));
  const { ink, free } = ground(store.theme.value);
  // Light below dark, so that bindings are seen on every colour of the heat.
  for (const [width, colour] of [[3, css(free)], [1.25, css(ink)]] as const) {
    context.beginPath();
    for (let k = 0; k + 1 < bindings.length; k += 2) {
      if (bindings[k] > bindings[k + 1]) continue;
      context.moveTo(...at(bindings[k]));
      context.lineTo(...at(bindings[k + 1]));
    }
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.globalAlpha = 0.6;
    context.stroke();
  }
  context.globalAlpha = 1;
  const unit = store.unit.value;
  if (unit < 0 || unit >= run.units) return;
  const radius = Math.max(0.5 * camera.scale, 4);
  ring(context, at(unit), radius + 4, css(free));
  ring(context, at(unit), radius + 2, css(GROUPS[1]));
};

/** Time stands still here. */
export const driver: clock.Driver = { play: () => {}, pause: () => {}, seek: () => {}, step: () => {} };

export function enter(): void {
  clock.time.value = clock.end.value = clock.final.value = 0;
}

effect(() => {
  void measured.value;
  clock.redraw();
});
