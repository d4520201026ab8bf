// A search, step by step: what it did to which vertex, with g, h and the parent of each.
import type { Message } from './wire';

export const GENERATE = 0;
export const EXPAND = 1;
export const CLOSE = 2;
export const UPDATE = 3;

/** What is known of a vertex after so many steps. */
export interface Known {
  vertex: number;
  state: 'open' | 'expanded';
  parent: number;
  g: number;
  h: number;
}

export class Search {
  readonly method: string;
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly event: Int8Array;
  readonly vertex: Int32Array;
  readonly parent: Int32Array;
  readonly g: Float32Array;
  readonly h: Float32Array;
  /** x and y by turns of each vertex; empty where vertices are cells. */
  readonly points: Float32Array;
  /** The greatest finite g. */
  readonly farthest: number;
  private known = new Map<number, Known>();
  private done = 0;

  constructor(message: Message) {
    const { arrays, head } = message;
    this.method = head.method as string;
    this.width = head.width as number;
    this.height = head.height as number;
    this.event = arrays.event.values as Int8Array;
    this.vertex = arrays.vertex.values as Int32Array;
    this.parent = arrays.parent.values as Int32Array;
    this.g = arrays.g.values as Float32Array;
    this.h = arrays.h.values as Float32Array;
    this.points = arrays.points.values as Float32Array;
    this.steps = this.event.length;
    this.farthest = this.g.reduce((most, g) => (Number.isFinite(g) && g > most ? g : most), 1e-9);
  }

  /** The place of a vertex. */
  place(vertex: number): [number, number] {
    if (this.points.length > 0) return [this.points[2 * vertex], this.points[2 * vertex + 1]];
    return [(vertex % this.width) + 0.5, Math.floor(vertex / this.width) + 0.5];
  }

  /** The vertex at a place of which something is known after so many steps, -1 if there is none. */
  nearest([x, y]: [number, number], steps: number): number {
    const known = this.after(steps);
    if (this.points.length === 0) {
      const vertex = Math.floor(y) * this.width + Math.floor(x);
      return known.has(vertex) ? vertex : -1;
    }
    let best = -1;
    let least = 2;
    for (const vertex of known.keys()) {
      const [px, py] = this.place(vertex);
      const far = Math.hypot(px - x, py - y);
      if (far < least) [best, least] = [vertex, far];
    }
    return best;
  }

  /** What is known after so many steps. */
  after(steps: number): ReadonlyMap<number, Known> {
    const wanted = Math.min(Math.max(Math.floor(steps), 0), this.steps);
    if (wanted < this.done) {
      this.known = new Map();
      this.done = 0;
    }
    for (; this.done < wanted; this.done++) this.step(this.done);
    return this.known;
  }

  private step(k: number): void {
    const vertex = this.vertex[k];
    const expanded = this.event[k] === EXPAND || this.event[k] === CLOSE;
    const before = this.known.get(vertex);
    const parent = this.parent[k] >= 0 ? this.parent[k] : (before?.parent ?? -1);
    this.known.set(vertex, { vertex, state: expanded ? 'expanded' : 'open', parent, g: this.g[k], h: this.h[k] });
  }
}
