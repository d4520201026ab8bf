// The tools of a game in turns: order units about, change tiles, add units.
import { signal } from '@preact/signals';
import * as clock from '../clock';
import { toView } from '../stage/camera';
import { css, GROUPS } from '../stage/palette';
import type { Tool, Touch } from '../tools';
import { drawCross } from './cross';
import { freeName, middleOf, tileAt, unitOn } from './game';
import * as turns from './turns';

/** Terrain that the brush paints, and movement points of units that are added. */
export const terrain = signal('impassable');
export const points = signal(2);

let over = -1; // the tile under the pointer
let panned = false;

function tileOf(touch: Touch): number {
  return turns.game.value === null ? -1 : tileAt(turns.game.value, touch.place);
}

/** What a click does: choose a unit, or send the chosen one to an empty tile. */
function click(tile: number): void {
  const game = turns.game.value;
  if (game === null || tile < 0) return;
  const unit = unitOn(game, tile);
  if (unit !== undefined) turns.choose(unit.name === turns.chosen.value ? '' : unit.name);
  else if (turns.chosen.value !== '') turns.order(tile);
}

/** Choose the next unit, or the one before. */
export function next(by: number): void {
  const units = turns.game.value?.units ?? [];
  if (units.length === 0) return;
  const now = units.findIndex((unit) => unit.name === turns.chosen.value);
  turns.choose(units[(now < 0 ? (by > 0 ? 0 : units.length - 1) : now + by + units.length) % units.length].name);
}

function keys(event: KeyboardEvent): boolean {
  if (event.key === 'n' || event.key === 'N') next(event.key === 'n' ? 1 : -1);
  else if (event.key === 't') turns.endTurn();
  else if (event.key === 'x') turns.halt();
  else if (event.key === 'Delete') turns.remove();
  else if (event.key === 'Escape' && turns.chosen.value !== '') turns.choose('');
  else return false;
  return true;
}

function hover(touch: Touch): void {
  const tile = tileOf(touch);
  if (tile !== over) clock.redraw();
  over = tile;
}

const draw: Tool['draw'] = (context, camera, view) => {
  const game = turns.game.value;
  drawCross(context, view);
  if (game === null || over < 0 || over >= game.prices.length) return;
  const [x, y] = middleOf(game, over);
  const [left, top] = toView(camera, view, [x - 0.5, y - 0.5]);
  context.strokeStyle = css(GROUPS[1]);
  context.lineWidth = 2;
  context.strokeRect(left + 1, top + 1, camera.scale - 2, camera.scale - 2);
};

export const mover: Tool = {
  name: 'play',
  title: 'Order units',
  down: () => void (panned = false),
  move(touch) {
    const event = touch.event as PointerEvent;
    if (Math.hypot(event.movementX, event.movementY) > 3) panned = true;
    hover(touch);
  },
  hover,
  up(touch) {
    if (!panned) click(tileOf(touch));
  },
  key(event, touch) {
    if (event.key !== 'Enter') return keys(event);
    click(tileOf(touch));
    return true;
  },
  draw,
};

let stroke: Set<number> | null = null;

export const painter: Tool = {
  name: 'tiles',
  title: 'Change tiles',
  down(touch) {
    stroke = new Set();
    this.move!(touch);
  },
  move(touch) {
    const tile = tileOf(touch);
    if (stroke !== null && tile >= 0) stroke.add(tile);
    hover(touch);
  },
  hover,
  up() {
    if (stroke !== null && stroke.size > 0) turns.change([...stroke], terrain.value);
    stroke = null;
  },
  cancel: () => void (stroke = null),
  key(event, touch) {
    if (event.key !== 'Enter') return keys(event);
    if (tileOf(touch) >= 0) turns.change([tileOf(touch)], terrain.value);
    return true;
  },
  draw(context, camera, view) {
    draw!(context, camera, view);
    const game = turns.game.value;
    context.fillStyle = css(GROUPS[4]);
    context.globalAlpha = 0.6;
    for (const tile of stroke ?? []) {
      const [x, y] = middleOf(game!, tile);
      context.fillRect(...toView(camera, view, [x - 0.5, y - 0.5]), camera.scale, camera.scale);
    }
    context.globalAlpha = 1;
  },
};

function put(tile: number): void {
  if (turns.game.value === null || tile < 0) return;
  const name = freeName(turns.game.value);
  turns.add(name, tile, points.value);
}

export const adder: Tool = {
  name: 'add',
  title: 'Add units',
  up: (touch) => put(tileOf(touch)),
  hover,
  key(event, touch) {
    if (event.key !== 'Enter') return keys(event);
    put(tileOf(touch));
    return true;
  },
  draw,
};
