// The tools of a live run: choosing units and sending them, and painting walls and doors.
import { effect, signal } from '@preact/signals';
import * as clock from '../clock';
import type { Place } from '../draft';
import { bullsEye } from '../marks';
import { toView, type Camera, type Size } from '../stage/camera';
import { css, ground, GROUPS } from '../stage/palette';
import * as store from '../store';
import { unitAt, type Tool, type Touch } from '../tools';
import * as live from './live';
import { drawCross } from './cross';
import { switches, there } from './show';
import { line, unitsIn, type Order } from './told';

/** What the brush paints. */
export const letter = signal('@');

effect(() => {
  void [live.chosen.value, live.stops.value, live.told.value, switches.value];
  clock.redraw();
});

const ACCENT = css(GROUPS[4]);
const slack = (touch: Touch) => 4 / touch.scale;
const many = (touch: Touch) => touch.event.shiftKey || touch.event.ctrlKey || touch.event.metaKey;

let from: Place | null = null; // where the left button went down
let to: Place | null = null;
let sending = false; // who is chosen is being dragged to a target

export const commander: Tool = {
  name: 'orders',
  title: 'Choose units and send them',
  right: true,
  down(touch) {
    const event = touch.event as PointerEvent;
    if (event.button === 2) {
      if (event.shiftKey) live.addStop(touch.place);
      else live.send(touch.place);
      return;
    }
    from = to = touch.place;
    sending = live.chosen.value.has(unitAt(touch.pane, touch.place, slack(touch)));
  },
  move(touch) {
    if (from !== null) to = touch.place;
    clock.redraw();
  },
  up(touch) {
    const event = touch.event as PointerEvent;
    const run = touch.pane.run.value;
    if (from === null || event.button !== 0 || run === null) return;
    const moved = Math.hypot(touch.place[0] - from[0], touch.place[1] - from[1]) * touch.scale > 5;
    const unit = unitAt(touch.pane, from, slack(touch));
    if (moved && sending) live.send(touch.place);
    else if (moved) live.choose(unitsIn(run.moment.positions, from, touch.place, (k) => there(run, k)), many(touch));
    else if (unit >= 0 && event.detail > 1) live.choose(live.unitsOf(run, run.group[unit]), many(touch));
    else live.choose(unit >= 0 ? [unit] : [], many(touch));
    this.cancel!();
  },
  cancel() {
    from = to = null;
    sending = false;
  },
  key(event, touch) {
    const run = touch.pane.run.value;
    if (run === null) return false;
    if (event.key === 'a') live.choose(Array.from(run.group.keys()).filter((unit) => there(run, unit)));
    else if (event.key === 'g' || event.key === 'G') nextGroup(event.key === 'g' ? 1 : -1);
    else if (event.key === 'n' || event.key === 'N') nextUnit(event.key === 'n' ? 1 : -1);
    else if (event.key === 'i') live.why(store.unit.value);
    else if (event.key === 'w') live.addStop(touch.place);
    else if (event.key === 'Enter') live.send(touch.place);
    else if (event.key === 'Delete' || event.key === 'x') live.remove();
    else if (event.key === 'Escape' && (live.stops.value.length > 0 || live.chosen.value.size > 0)) {
      if (live.stops.value.length > 0) live.dropStops();
      else live.choose([]);
    } else return false;
    return true;
  },
  draw(context, camera, view) {
    drawOrders(context, camera, view);
    drawCross(context, view);
    if (from !== null && to !== null) {
      const [x0, y0] = toView(camera, view, from);
      const [x1, y1] = toView(camera, view, to);
      context.strokeStyle = ACCENT;
      context.lineWidth = 1.5;
      context.setLineDash([5, 3]);
      if (sending) {
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
        context.stroke();
      } else context.strokeRect(x0, y0, x1 - x0, y1 - y0);
      context.setLineDash([]);
    }
  },
};

/** Choose the next group (or the one before) of those that still have units. */
function nextGroup(by: number): void {
  const run = live.pane.run.value!;
  const count = run.head.groups.length;
  const [first] = live.chosen.value;
  const now = first === undefined ? (by > 0 ? -1 : 0) : run.group[first];
  for (let k = 1; k <= count; k++) {
    const units = live.unitsOf(run, (now + by * k + count * k) % count);
    if (units.length > 0) return live.choose(units);
  }
}

/** Choose the next unit (or the one before) that is under way. */
export function nextUnit(by: number): void {
  const run = store.current.value.run.value;
  if (run === null) return;
  const now = store.unit.value < 0 ? (by > 0 ? -1 : 0) : store.unit.value;
  for (let k = 1; k <= run.units; k++) {
    const unit = (now + by * k + run.units * k) % run.units;
    if (!there(run, unit)) continue;
    if (store.current.value === live.pane) live.choose([unit]);
    else store.unit.value = unit;
    return;
  }
}

/** Rings around who is chosen; the stops where they go, and those that are being set. */
function drawOrders(context: CanvasRenderingContext2D, camera: Camera, view: Size): void {
  const run = live.pane.run.value;
  if (run === null) return;
  const { positions } = run.moment;
  const ink = css(ground(store.theme.value).ink);
  const followed = new Set<Order>();
  const orders = live.orders();
  context.beginPath();
  for (const unit of live.chosen.value) {
    if (!there(run, unit)) continue;
    const [x, y] = toView(camera, view, [positions[2 * unit], positions[2 * unit + 1]]);
    const radius = Math.max(run.radius[unit] * camera.scale, 3) + 2;
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    const order = orders.get(unit);
    if (order !== undefined) followed.add(order);
  }
  context.lineWidth = 2;
  context.strokeStyle = ACCENT;
  context.stroke();
  for (const order of followed) drawWay(context, camera, view, order.order, ink);
  drawWay(context, camera, view, live.stops.value, ACCENT);
}

function drawWay(context: CanvasRenderingContext2D, camera: Camera, view: Size, way: [number, number, number][], colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const [x, y] of way) context.lineTo(...toView(camera, view, [x, y]));
  context.stroke();
  for (const [x, y, radius] of way) bullsEye(context, toView(camera, view, [x, y]), radius * camera.scale, colour);
}

let stroke: Map<string, Place> | null = null;
let last: Place = [0, 0];

const cellOf = ([x, y]: Place): Place => [Math.floor(x), Math.floor(y)];

/** Paints walls or ground while the run goes on: closes and opens doors. */
export const painter: Tool = {
  name: 'paint',
  title: 'Paint walls, or ground to open them again',
  down(touch) {
    stroke = new Map();
    last = cellOf(touch.place);
    this.move!(touch);
  },
  move(touch) {
    clock.redraw();
    if (stroke === null) return;
    const now = cellOf(touch.place);
    const { width, height } = live.pane.cells.value ?? store.cells.value;
    for (const cell of line(last, now)) {
      if (cell[0] >= 0 && cell[1] >= 0 && cell[0] < width && cell[1] < height) stroke.set(`${cell}`, cell);
    }
    last = now;
  },
  up() {
    if (stroke !== null) live.paint([...stroke.values()], letter.value);
    stroke = null;
  },
  cancel() {
    stroke = null;
  },
  key(event, touch) {
    if (event.key !== 'Enter') return false;
    live.paint([cellOf(touch.place)], letter.value);
    return true;
  },
  draw(context, camera, view) {
    drawOrders(context, camera, view);
    drawCross(context, view);
    context.fillStyle = ACCENT;
    context.globalAlpha = 0.7;
    for (const [x, y] of stroke?.values() ?? []) {
      context.fillRect(...toView(camera, view, [x, y]), camera.scale, camera.scale);
    }
    context.globalAlpha = 1;
  },
};
