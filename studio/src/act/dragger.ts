// The tool of the formation laboratory: drag units by hand, or push them by keys.
import type { Place } from '../draft';
import * as store from '../store';
import { unitAt, type Tool } from '../tools';
import { drawCross } from './cross';
import * as fitness from './fitness';

const PUSH = 0.5; // cells a key moves a unit
const WAYS: Record<string, Place> = { w: [0, -PUSH], a: [-PUSH, 0], s: [0, PUSH], d: [PUSH, 0] };

let held = -1;
let grip: Place = [0, 0]; // from the pointer to the middle of the unit

function next(by: number): void {
  const units = fitness.pane.run.value?.units ?? 0;
  if (units === 0) return;
  const now = store.unit.value;
  fitness.choose(now < 0 ? (by > 0 ? 0 : units - 1) : (now + by + units) % units);
}

export const dragger: Tool = {
  name: 'drag',
  title: 'Drag units',
  down(touch) {
    held = unitAt(touch.pane, touch.place, 6 / touch.scale);
    if (held !== store.unit.value) fitness.choose(held);
    if (held < 0) return;
    const [x, y] = fitness.where(held);
    grip = [x - touch.place[0], y - touch.place[1]];
  },
  move(touch) {
    if (held >= 0) fitness.move(held, [touch.place[0] + grip[0], touch.place[1] + grip[1]]);
  },
  up: () => void (held = -1),
  cancel: () => void (held = -1),
  key(event, touch) {
    const unit = store.unit.value;
    if (event.key === 'n' || event.key === 'N') next(event.key === 'n' ? 1 : -1);
    else if (event.key === 'Enter' && unit >= 0) fitness.move(unit, touch.place);
    else if (event.key in WAYS && unit >= 0 && !event.ctrlKey) {
      const [x, y] = fitness.where(unit);
      const [dx, dy] = WAYS[event.key];
      fitness.move(unit, [x + dx, y + dy]);
    } else if (event.key === 'Escape' && unit >= 0) fitness.choose(-1);
    else return false;
    return true;
  },
  draw: (context, _camera, view) => drawCross(context, view),
};
