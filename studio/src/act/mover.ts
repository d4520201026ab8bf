// The tools of a game in turns: order units about, change tiles, add units.
import { signal } from '@preact/signals';
import * as clock from '../clock';
import type { Place } from '../draft';
import { toView, type Camera, type Size } from '../stage/camera';
import { css, GROUPS } from '../stage/palette';
import type { Tool, Touch } from '../tools';
import { drawCross } from './cross';
import { middleOf, nextUnit, same, tileAt, unitOn } from './game';
import * as turns from './turns';

/** What the brush paints: a terrain, or a feature after a `+`. */
export const brush = signal('impassable');
/** Movement points of units that are added. */
export const points = signal(2);

let over: Place | null = null; // the tile under the pointer
let moved = false;

const tileOf = (touch: Touch): Place | null => (turns.game.value === null ? null : tileAt(turns.game.value, touch.place));

/** What a click does: choose a unit, or send the chosen one to an empty tile. */
function click(tile: Place | null): void {
  if (tile === null) return;
  const unit = unitOn(turns.game.value!, tile);
  if (unit !== undefined) turns.choose(unit.name === turns.chosen.value ? '' : unit.name);
  else if (turns.chosen.value !== '') turns.order(tile);
}

function paint(tiles: Place[]): void {
  if (tiles.length === 0) return;
  if (brush.value.startsWith('+')) turns.feature(tiles, brush.value.slice(1));
  else turns.change(tiles, brush.value);
}

function put(tile: Place | null): void {
  if (tile !== null) turns.add(tile, points.value);
}

function keys(event: KeyboardEvent): boolean {
  const game = turns.game.value;
  if (game === null) return false;
  if (event.key === 'n' || event.key === 'N') turns.choose(nextUnit(game, turns.chosen.value, event.key === 'n' ? 1 : -1));
  else if (event.key === 't') turns.endTurn();
  else if (event.key === 'x') turns.halt();
  else if (event.key === 'Delete') turns.remove();
  else if (event.ctrlKey && (event.key === 'z' || event.key === 'Z')) (event.key === 'z' ? turns.undo : turns.redo)();
  else if (event.key === 'Escape' && turns.chosen.value !== '') turns.choose('');
  else return false;
  return true;
}

function hover(touch: Touch): void {
  const tile = tileOf(touch);
  if (!same(tile, over)) clock.redraw();
  over = tile;
}

function outline(context: CanvasRenderingContext2D, camera: Camera, view: Size, tile: Place, fill: boolean): void {
  const game = turns.game.value;
  if (game === null) return;
  const [x, y] = middleOf(game, tile);
  const [left, top] = toView(camera, view, [x - 0.5, y - 0.5]);
  context.strokeStyle = context.fillStyle = css(GROUPS[1]);
  context.lineWidth = 2;
  context.globalAlpha = fill ? 0.6 : 1;
  if (fill) context.fillRect(left, top, camera.scale, camera.scale);
  else context.strokeRect(left + 1, top + 1, camera.scale - 2, camera.scale - 2);
  context.globalAlpha = 1;
}

function draw(context: CanvasRenderingContext2D, camera: Camera, view: Size): void {
  drawCross(context, view);
  if (over !== null) outline(context, camera, view, over, false);
}

/** A tool for which the key Enter does at the cross what a click does. */
function clicking(name: string, title: string, act: (tile: Place | null) => void): Tool {
  return {
    name,
    title,
    down: () => void (moved = false),
    move(touch) {
      const event = touch.event as PointerEvent;
      if (Math.hypot(event.movementX, event.movementY) > 3) moved = true;
      hover(touch);
    },
    hover,
    up(touch) {
      if (!moved) act(tileOf(touch));
    },
    key(event, touch) {
      if (event.key !== 'Enter') return keys(event);
      act(tileOf(touch));
      return true;
    },
    draw,
  };
}

export const mover = clicking('play', 'Order units', click);
export const adder = clicking('add', 'Add units', put);

let stroke: Map<string, Place> | null = null;

export const painter: Tool = {
  name: 'tiles',
  title: 'Change tiles',
  down(touch) {
    stroke = new Map();
    this.move!(touch);
  },
  move(touch) {
    const tile = tileOf(touch);
    if (stroke !== null && tile !== null) stroke.set(`${tile}`, tile);
    hover(touch);
  },
  hover,
  up() {
    paint([...(stroke?.values() ?? [])]);
    stroke = null;
  },
  cancel: () => void (stroke = null),
  key(event, touch) {
    if (event.key !== 'Enter') return keys(event);
    const tile = tileOf(touch);
    if (tile !== null) paint([tile]);
    return true;
  },
  draw(context, camera, view) {
    draw(context, camera, view);
    for (const tile of stroke?.values() ?? []) outline(context, camera, view, tile, true);
  },
};
