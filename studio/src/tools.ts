// Tools: what pointer and keys do on the stage. Exactly one is in the hand.
import { signal } from '@preact/signals';
import { there } from './act/show';
import type { Place } from './draft';
import type { Pane } from './pane';
import { shownSteps, watched } from './searching';
import * as store from './view';
import type { Camera, Size } from './stage/camera';

export interface Touch {
  /** In cells. */
  place: Place;
  event: MouseEvent | KeyboardEvent;
  pane: Pane;
  /** Pixels a cell. */
  scale: number;
  /** Move the map by pixels. */
  pan(dx: number, dy: number): void;
}

export interface Tool {
  name: string;
  title: string;
  /** The left button moves the map. */
  pans?: boolean;
  /** It wants the right button, too. */
  right?: boolean;
  down?(touch: Touch): void;
  move?(touch: Touch): void;
  hover?(touch: Touch): void;
  up?(touch: Touch): void;
  cancel?(): void;
  /** The pointer has left the map. */
  leave?(): void;
  /** Returns whether it knew the key; the place is the middle of the view. */
  key?(event: KeyboardEvent, touch: Touch): boolean;
  /** What it shows above the map. */
  draw?(context: CanvasRenderingContext2D, camera: Camera, view: Size): void;
}

/** The unit of a pane's run at a place, -1 if there is none. */
export function unitAt(pane: Pane, [x, y]: Place, slack: number): number {
  const run = pane.run.value;
  if (run === null) return -1;
  let best = -1;
  let nearest = Infinity;
  for (let k = 0; k < run.units; k++) {
    const far = Math.hypot(run.moment.positions[2 * k] - x, run.moment.positions[2 * k + 1] - y);
    if (far < run.radius[k] + slack && far < nearest && there(run, k)) {
      best = k;
      nearest = far;
    }
  }
  return best;
}

/** Choose the unit and the vertex of the search at a place. */
export function choose({ pane, place, scale }: Pick<Touch, 'pane' | 'place' | 'scale'>): void {
  store.unit.value = unitAt(pane, place, 4 / scale);
  const search = pane.search.value;
  if (search !== null) watched.value = search.nearest(place, shownSteps.value);
}

let moved = false;

/** Move the map by dragging; a click chooses what is there. */
export const pointer: Tool = {
  name: 'pointer',
  title: 'Look: drag the map, click a unit',
  key(event, touch) {
    if (event.key !== 'Enter') return false;
    choose(touch);
    return true;
  },
  down: () => void (moved = false),
  move(touch) {
    const event = touch.event as PointerEvent;
    if (!moved && Math.hypot(event.movementX, event.movementY) < 2) return;
    moved = true;
    touch.pan(event.movementX, event.movementY);
  },
  up(touch) {
    if (!moved) choose(touch);
  },
};

export const tool = signal<Tool>(pointer);
