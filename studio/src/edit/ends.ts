// The ends of one unit: start and goal by two clicks. Under Plan the path is searched as soon as the goal is set, and
// anew when the method changes; a click after the path of an RRT only runs another one, with the next seed.
import { batch, effect, untracked } from '@preact/signals';
import type { Draft, Ends, Place } from '../draft';
import type { Pane } from '../pane';
import * as store from '../store';
import { choose } from '../tools';
import { cellOf } from './paint';
import { pointed, type Drag } from './pointing';
import { stands } from './settle';
import * as sketch from './sketch';
import { prices, said } from './state';

/** Families in which one unit goes from a start to a goal. */
export const SINGLE = ['search', 'space', 'drive'];

/** Whether a click shall run the method again instead of moving an end. */
export const repeats = (method: string, ends: Ends, found: boolean) => /^(informed-)?rrt/.test(method) && found && ends.start !== null && ends.goal !== null;

/** The ends after a click on a cell: first the start, then the goal, then a new start. */
export function clicked(ends: Ends, cell: Place): Ends {
  if (ends.start === null || ends.goal !== null) return { start: cell, goal: null };
  return { ...ends, goal: cell };
}

const drives = () => store.current.value.request.value.family === 'drive';

let held: 'start' | 'goal' | null = null;

/** The end whose pin is under a place. */
function endAt(ends: Ends, [x, y]: Place, slack: number): 'start' | 'goal' | null {
  const near = (cell: Place | null) => cell !== null && Math.hypot(cell[0] + 0.5 - x, cell[1] + 0.5 - y) < Math.max(slack, 0.5);
  return near(ends.goal) ? 'goal' : near(ends.start) ? 'start' : null;
}

const set = (draft: Draft, ends: Ends) => store.edit({ ...draft, ends });

export const ends = pointed(
  {
    name: 'ends',
    title: 'Start and goal of one unit: click one, then the other; drag a pin to move it',
    dabs: true,
    begin(drag: Drag) {
      held = endAt(store.draft.value.ends, drag.from, 9 / drag.scale);
    },
    slides: () => held === null && !drives(),
    end(drag) {
      const draft = store.draft.value;
      const cell = cellOf(drag.to);
      const pane = store.current.value;
      if (drag.shift && !drag.far) return choose({ pane, place: drag.to, scale: drag.scale });
      const turns = drives() && drag.far && held === null;
      if (drag.far && held === null && !turns) return;
      const place = turns ? cellOf(drag.from) : cell;
      if (!stands(store.cells.value, prices(), place)) {
        said.value = 'Nobody can stand there.';
        return;
      }
      if (held !== null && drag.far) return set(draft, { ...draft.ends, [held]: cell });
      const { method, seed } = pane.request.value;
      if (store.mode.value === 'plan' && repeats(method, draft.ends, pane.status.value === 'done')) {
        pane.request.value = { ...pane.request.value, seed: seed + 1 };
        return;
      }
      const next = clicked(draft.ends, place);
      batch(() => {
        if (drives()) face(pane, next.goal === null ? 'heading' : 'heading_at_goal', turns ? heading(drag) : null);
        set(draft, next);
      });
      said.value = next.goal === null ? 'Now click the goal.' : 'Start and goal are set.';
    },
    draw(sheet, at, drag) {
      if (at === null) return;
      if (drag?.far && held === null && drives()) sketch.arrow(sheet, drag.from, drag.to, 'black', 2);
      const { start, goal } = store.draft.value.ends;
      if (start !== null && goal === null) sketch.words(sheet, at, 'goal');
    },
  },
  'j',
  'plan',
);

/** Degrees, clockwise from the right, of the way from where a drag began. */
const heading = ({ from, to }: Drag) => Math.round((Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI);

/** Set the option of a drive that says where the car faces; null: it may face anywhere. */
function face(pane: Pane, option: 'heading' | 'heading_at_goal', degrees: number | null): void {
  const { [option]: _, ...others } = pane.request.value.options;
  pane.request.value = { ...pane.request.value, options: degrees === null ? others : { ...others, [option]: degrees } };
}

/** Search whenever ends, method, options or seed change under Plan, if both ends are set. */
export function searchAlways(): () => void {
  let before = '';
  return effect(() => {
    const { family, method, options, seed } = store.current.value.request.value;
    const { start, goal } = store.draft.value.ends;
    const now = JSON.stringify([family, method, options, seed, store.draft.value.ends]);
    if (store.mode.value !== 'plan' || !SINGLE.includes(family)) {
      before = now;
      return;
    }
    if (now === before) return;
    before = now;
    if (start === null || goal === null) return;
    untracked(() => store.start(store.current.value));
  });
}
