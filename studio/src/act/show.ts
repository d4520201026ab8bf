// What is written and drawn at the units of a run: numbers, lines to where they go, headings, the way of the chosen one.
import { signal } from '@preact/signals';
import type { Place } from '../draft';
import type { Pane } from '../pane';
import { ARRIVED, type Run } from '../run';
import { toView, type Camera, type Size } from '../stage/camera';
import { css, ground, inkOn, type Colour } from '../stage/palette';
import * as store from '../view';

export const SWITCHES = ['numbers', 'goals', 'headings', 'trail', 'grid', 'ground'] as const;
export type Switch = (typeof SWITCHES)[number];

export const switches = signal<ReadonlySet<Switch>>(new Set<Switch>(['trail', 'ground']));

export function toggle(name: Switch): void {
  const next = new Set(switches.value);
  if (!next.delete(name)) next.add(name);
  switches.value = next;
}

const LEAST_GRID = 5; // pixels of a cell: lines between smaller ones would hide everything

/** Lines between the cells of a map. */
export function drawGrid(context: CanvasRenderingContext2D, camera: Camera, view: Size, map: Size): void {
  if (camera.scale < LEAST_GRID) return;
  const [left, top] = toView(camera, view, [0, 0]);
  const [right, bottom] = toView(camera, view, [map.width, map.height]);
  context.strokeStyle = css(ground(store.theme.value).ink).replace('1.000', '0.200');
  context.lineWidth = 1;
  context.beginPath();
  for (let x = 0; x <= map.width; x++) {
    context.moveTo(left + x * camera.scale, top);
    context.lineTo(left + x * camera.scale, bottom);
  }
  for (let y = 0; y <= map.height; y++) {
    context.moveTo(left, top + y * camera.scale);
    context.lineTo(right, top + y * camera.scale);
  }
  context.stroke();
}

const LEAST_NUMBER = 5; // pixels of a unit's radius: numbers of smaller ones can't be read
const MOST_NUMBERS = 3000;

/** Where a unit goes, and on what way: x and y by turns. */
export interface Ways {
  goal(unit: number): Place | null;
  trail(unit: number): ArrayLike<number>;
}

/** The ways of a run that was computed before, up to a step. */
export function played(run: Run, step: number): Ways {
  const { targets } = run.head;
  return {
    goal(unit) {
      const target = targets?.[run.group[unit]];
      return target == null ? null : [target[0], target[1]];
    },
    trail: (unit) => run.trail(unit, step),
  };
}

/** Write numbers, the longest of so many digits, into discs of a radius in pixels. */
export function numbering(context: CanvasRenderingContext2D, digits: number): (text: string, place: Place, radius: number, colour: Colour) => void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  return (text, [x, y], radius, colour) => {
    context.font = `600 ${Math.min(1.5 * radius, (2.5 * radius) / digits, 14).toFixed(1)}px system-ui, sans-serif`;
    context.fillStyle = css(inkOn(colour));
    context.fillText(text, x, y + 0.5);
  };
}

/** Whether units bear their numbers. Agents always do, while their goals are shown with theirs. */
export const numbered = (pane: Pane) =>
  switches.value.has('numbers') || (pane.run.value !== null && pane.shown.value.has('agents') && pane.scenes.value.has('agents'));

/** Whether a unit is on the map. */
export const there = (run: Run, unit: number) => run.stays || run.moment.state[unit] < ARRIVED;

export function drawUnits(context: CanvasRenderingContext2D, camera: Camera, view: Size, pane: Pane, ways: Ways, colours: Uint8Array): void {
  const run = pane.run.value;
  if (run === null || run.come === 0) return;
  const on = switches.value;
  const ink = css(ground(store.theme.value).ink);
  const { positions, headings } = run.moment;
  const at = (unit: number): Place => toView(camera, view, [positions[2 * unit], positions[2 * unit + 1]]);
  const each = (draw: (unit: number, place: Place) => void) => {
    for (let unit = 0; unit < run.units; unit++) if (there(run, unit)) draw(unit, at(unit));
  };
  context.strokeStyle = ink;
  if (on.has('goals')) {
    context.beginPath();
    each((unit, [x, y]) => {
      const goal = ways.goal(unit);
      if (goal === null) return;
      context.moveTo(x, y);
      context.lineTo(...toView(camera, view, goal));
    });
    context.lineWidth = 1;
    context.globalAlpha = 0.35;
    context.stroke();
    context.globalAlpha = 1;
  }
  if (on.has('headings')) {
    context.beginPath();
    each((unit, [x, y]) => {
      const far = Math.max(2.2 * run.radius[unit] * camera.scale, 6);
      context.moveTo(x, y);
      context.lineTo(x + far * Math.cos(headings[unit]), y + far * Math.sin(headings[unit]));
    });
    context.lineWidth = 1.5;
    context.stroke();
  }
  const chosen = store.unit.value;
  if (on.has('trail') && chosen >= 0 && chosen < run.units) {
    const way = ways.trail(chosen);
    context.beginPath();
    for (let k = 0; k + 1 < way.length; k += 2) context.lineTo(...toView(camera, view, [way[k], way[k + 1]]));
    if (way.length > 0 && there(run, chosen)) context.lineTo(...at(chosen));
    context.lineWidth = 2.5;
    context.lineJoin = 'round';
    context.setLineDash([0.1, 5]); // round dots
    context.lineCap = 'round';
    context.stroke();
    context.setLineDash([]);
    context.lineCap = 'butt';
  }
  if (numbered(pane)) {
    const write = numbering(context, `${run.units - 1}`.length);
    let written = 0;
    each((unit, [x, y]) => {
      const radius = run.radius[unit] * camera.scale;
      if (radius < LEAST_NUMBER || written >= MOST_NUMBERS || x < 0 || y < 0 || x > view.width || y > view.height) return;
      write(`${unit}`, [x, y], radius, [colours[4 * unit], colours[4 * unit + 1], colours[4 * unit + 2], 255]);
      written++;
    });
  }
}
