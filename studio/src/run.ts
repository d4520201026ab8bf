// A run to be played: frames as they come, and where everybody is at any moment between them.
import type { Message, Numbers } from './wire';

export const ARRIVED = 2; // states from here on are off the map

interface RunHead {
  units: number;
  steps: number;
  frames: number;
  groups: string[];
  title?: string;
  method?: string;
  seed?: number;
  every?: number;
  /** Seconds of a step, where it has a length. */
  tick?: number;
  live?: boolean;
  stays?: boolean; // who has arrived stays in the picture
  targets?: (number[] | null)[]; // x, y and radius of each group's
}

/** Everybody at one moment; arrays are written over at the next. */
export interface Moment {
  step: number;
  positions: Float32Array;
  headings: Float32Array;
  state: Uint8Array;
  /** Cells a step. */
  speed: Float32Array;
}

export class Run {
  readonly head: RunHead;
  readonly units: number;
  readonly times: Int32Array;
  readonly radius: Float32Array;
  readonly group: Uint16Array;
  readonly route: Uint16Array;
  readonly arrival: Int32Array;
  /** When each arrives, from 0 (first) to 1 (last, or never). */
  readonly lateness: Float32Array;
  /** Numbers of the groups that it has; those of the draft without units were left out. */
  readonly groups: number[];
  /** The greatest speed, cells a step: of all frames that have come, or in a live run of those that were shown. */
  fastest = 1e-6;
  /** Frames that have come. */
  come = 0;
  readonly moment: Moment;
  private readonly positions: Float32Array;
  private readonly headings: Float32Array;
  private readonly state: Uint8Array;

  constructor(message: Message) {
    this.head = message.head as unknown as RunHead;
    const n = (this.units = this.head.units);
    const { times, radius, group, route, arrival } = message.arrays;
    this.times = times.values as Int32Array;
    this.radius = radius.values as Float32Array;
    this.group = group.values as Uint16Array;
    this.route = route.values as Uint16Array;
    this.arrival = arrival.values as Int32Array;
    this.groups = [...this.head.groups.keys()].filter((number) => this.group.includes(number));
    const last = this.arrival.reduce((most, step) => Math.max(most, step), 1);
    const first = this.arrival.reduce((least, step) => (step >= 0 && step < least ? step : least), last);
    this.lateness = Float32Array.from(this.arrival, (step) => (step < 0 || last === first ? +(step < 0) : (step - first) / (last - first)));
    const frames = this.live ? 0 : this.times.length;
    this.positions = new Float32Array(2 * n * frames);
    this.headings = new Float32Array(n * frames);
    this.state = new Uint8Array(n * frames);
    this.moment = {
      step: 0,
      positions: new Float32Array(2 * n),
      headings: new Float32Array(n),
      state: new Uint8Array(n),
      speed: new Float32Array(n),
    };
  }

  get stays(): boolean {
    return this.head.stays === true;
  }

  get live(): boolean {
    return this.head.live === true;
  }

  /** The last step that can be shown now. */
  get end(): number {
    return this.come > 0 && !this.live ? this.times[this.come - 1] : 0;
  }

  get steps(): number {
    return this.head.steps;
  }

  take(message: Message): void {
    const { positions, headings, state } = message.arrays;
    if (this.live) return this.see(message);
    const first = message.head.first as number;
    this.positions.set(positions.values as Numbers as Float32Array, 2 * first * this.units);
    this.headings.set(headings.values as Float32Array, first * this.units);
    this.state.set(state.values as Uint8Array, first * this.units);
    this.come = Math.max(this.come, first + positions.shape[0]);
    for (let frame = Math.max(first, 1); frame < first + positions.shape[0]; frame++) this.measure(frame);
  }

  /** Who is where at a step, which may lie between two frames. */
  at(step: number): Moment {
    const moment = this.moment;
    if (this.come === 0 || this.live) return moment;
    const n = this.units;
    const frame = this.frameOf(step);
    const next = Math.min(frame + 1, this.come - 1);
    const from = this.times[frame] ?? 0;
    const span = next > frame ? this.times[next] - from : 0;
    const share = span > 0 ? Math.min(Math.max((step - from) / span, 0), 1) : 0;
    const p = this.positions;
    const a = 2 * frame * n;
    const b = 2 * next * n;
    for (let i = 0; i < 2 * n; i++) moment.positions[i] = p[a + i] + share * (p[b + i] - p[a + i]);
    moment.headings.set(this.headings.subarray(frame * n, (frame + 1) * n));
    moment.state.set(this.state.subarray(frame * n, (frame + 1) * n));
    for (let k = 0; k < n; k++) {
      const dx = p[b + 2 * k] - p[a + 2 * k];
      const dy = p[b + 2 * k + 1] - p[a + 2 * k + 1];
      moment.speed[k] = span > 0 ? Math.hypot(dx, dy) / span : 0;
    }
    moment.step = step;
    return moment;
  }

  /** How fast everybody came to a frame, so that colours of speeds mean the same in all of them. */
  private measure(frame: number): void {
    const span = this.times[frame] - this.times[frame - 1];
    if (span <= 0) return;
    const p = this.positions;
    const here = 2 * frame * this.units;
    const before = here - 2 * this.units;
    for (let k = 0; k < 2 * this.units; k += 2) {
      const speed = Math.hypot(p[here + k] - p[before + k], p[here + k + 1] - p[before + k + 1]) / span;
      if (speed > this.fastest) this.fastest = speed;
    }
  }

  /** Where a unit was, x and y by turns, from the beginning to a step. */
  trail(unit: number, step: number): Float32Array {
    if (this.come === 0 || this.live) return new Float32Array(0);
    const last = this.frameOf(step);
    const way = new Float32Array(2 * (last + 1));
    for (let frame = 0; frame <= last; frame++) {
      const at = 2 * (frame * this.units + unit);
      way.set(this.positions.subarray(at, at + 2), 2 * frame);
    }
    return way;
  }

  /** How many have arrived by a step. */
  arrivedBy(step: number): number {
    let count = 0;
    for (const arrival of this.arrival) if (arrival >= 0 && arrival <= step) count++;
    return count;
  }

  /** How many are on their way at a step, neither arrived nor removed. */
  underWay(step: number): number {
    const first = this.frameOf(step) * this.units;
    const states = this.live ? this.moment.state : this.state.subarray(first, first + this.units);
    return states.reduce((count, state) => count + +(state < ARRIVED), 0);
  }

  /** Take the present frame of a live run, whose number is the step. It says speeds itself, as the frame before may be any other one. */
  private see({ head, arrays }: Message): void {
    const { moment, units: n } = this;
    const row = arrays.state.shape[0] - 1;
    if (arrays.speed === undefined) moment.speed.fill(0); // the first frame: nobody has moved yet
    else moment.speed.set(arrays.speed.values.subarray(n * row));
    for (const speed of moment.speed) if (speed > this.fastest) this.fastest = speed;
    moment.positions.set(arrays.positions.values.subarray(2 * n * row));
    moment.headings.set(arrays.headings.values.subarray(n * row));
    moment.state.set(arrays.state.values.subarray(n * row));
    moment.step = head.first as number;
    this.come = 1;
  }

  /** The frame at or before a step. */
  frameOf(step: number): number {
    let low = 0;
    let high = Math.max(0, this.come - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
