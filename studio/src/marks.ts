// Marks above the map: targets, ends, doors that close, the unit that was chosen.
import { drawGrid, drawUnits, played, switches } from './act/show';
import { drawBindings } from './bindings';
import type { Place } from './draft';
import type { Pane } from './pane';
import { toView, type Camera, type Size } from './stage/camera';
import { css, ground, GROUPS, shaded } from './stage/palette';
import type { Marks } from './stage/stage';
import type { Search } from './search';
import { shownSteps, watched } from './searching';
import * as store from './view';
import { tool } from './tools';

export function marksOf(pane: Pane): Marks {
  return (context, camera, view, step, colours) => {
    if (pane.marks !== null && store.mode.value !== 'edit') {
      pane.marks(context, camera, view, step, colours);
      tool.value.draw?.(context, camera, view);
      return;
    }
    if (switches.value.has('grid')) drawGrid(context, camera, view, store.mapOf(pane));
    const { scenario } = store.draftOf(pane);
    const family = pane.request.value.family;
    const at = (place: Place) => toView(camera, view, place);
    const ink = css(ground(store.theme.value).ink);
    const editing = store.mode.value === 'edit';
    const drafted = editing || pane.apart.value === '';
    if (drafted && (family === 'group' || editing)) {
      scenario.groups.forEach((group, number) => {
        const colour = css(shaded(GROUPS[number % GROUPS.length], store.theme.value));
        bullsEye(context, at([group.target.x, group.target.y]), group.target.radius * camera.scale, colour);
      });
      for (const change of scenario.changes) closing(context, camera, view, change, ink, step);
    }
    const placing = tool.value.name === 'ends';
    if (drafted && (['search', 'space', 'drive'].includes(family) || placing)) {
      const { ends } = placing ? store.draft.value : store.draftOf(pane);
      if (ends.start !== null) pin(context, at(middle(ends.start)), 'S', css(GROUPS[2]));
      if (ends.goal !== null) pin(context, at(middle(ends.goal)), 'G', css(GROUPS[1]));
    }
    const search = pane.search.value;
    if (search !== null && pane.shown.value.has('search') && store.mode.value !== 'edit') numbers(context, camera, view, search);
    const run = pane.run.value;
    const unit = store.unit.value;
    if (run !== null && store.mode.value !== 'edit') drawUnits(context, camera, view, pane, pane.ways ?? played(run, step), colours);
    if (run !== null && pane.shown.value.has('bindings') && store.mode.value !== 'edit') {
      for (const message of pane.bindings.value) drawBindings(context, camera, view, run, message, step);
    }
    if (run !== null && unit >= 0 && unit < run.units && store.mode.value !== 'edit') {
      const place = at([run.moment.positions[2 * unit], run.moment.positions[2 * unit + 1]]);
      ring(context, place, Math.max(run.radius[unit] * camera.scale, 4) + 4, ink);
    }
    if (drafted) for (const draw of extras) draw(pane, context, camera, view, step, colours);
    tool.value.draw?.(context, camera, view);
  };
}

/** Marks of parts that the player doesn't have. */
export const extras: ((pane: Pane, ...sheet: Parameters<Marks>) => void)[] = [];

const LEAST_CELL = 44; // pixels of a cell that has room for three numbers

/** What a search knows of each cell in sight, and an arrow to its parent. */
function numbers(context: CanvasRenderingContext2D, camera: Camera, view: Size, search: Search): void {
  const known = search.after(shownSteps.value);
  const last = search.vertex[Math.min(Math.floor(shownSteps.value), search.steps) - 1];
  const colour = css(ground(store.theme.value).ink);
  for (const vertex of [last, watched.value]) {
    if (vertex === undefined || !known.has(vertex)) continue;
    ring(context, toView(camera, view, search.place(vertex)), Math.max(camera.scale / 2, 6), vertex === watched.value ? css(GROUPS[1]) : colour);
  }
  if (camera.scale < LEAST_CELL) return;
  context.font = `${Math.min(camera.scale / 5, 14)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const halo = css(ground(store.theme.value).free);
  const write = (text: string, x: number, y: number) => {
    context.strokeStyle = halo;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.fillText(text, x, y);
  };
  context.fillStyle = colour;
  const text = (value: number) => (Number.isFinite(value) ? `${Number(value.toFixed(1))}` : '∞');
  for (const { vertex, g, h, parent } of known.values()) {
    const [x, y] = toView(camera, view, search.place(vertex));
    if (x < -60 || y < -60 || x > view.width + 60 || y > view.height + 60) continue;
    write(`g ${text(g)}`, x, y - camera.scale * 0.24);
    write(`h ${text(h)}`, x, y);
    write(`f ${text(g + h)}`, x, y + camera.scale * 0.24);
    if (parent < 0 || parent === vertex) continue;
    const [px, py] = toView(camera, view, search.place(parent));
    const far = Math.hypot(px - x, py - y) || 1;
    const [ux, uy] = [((px - x) / far) * camera.scale, ((py - y) / far) * camera.scale];
    context.beginPath();
    context.moveTo(x + ux * 0.34, y + uy * 0.34);
    context.lineTo(x + ux * 0.48, y + uy * 0.48);
    context.stroke();
    context.beginPath();
    context.arc(x + ux * 0.48, y + uy * 0.48, 2, 0, 2 * Math.PI);
    context.fill();
  }
}

const middle = ([x, y]: Place): Place => [Number.isInteger(x) ? x + 0.5 : x, Number.isInteger(y) ? y + 0.5 : y];

export function ring(context: CanvasRenderingContext2D, [x, y]: Place, radius: number, colour: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = colour;
  context.stroke();
}

export function bullsEye(context: CanvasRenderingContext2D, [x, y]: Place, radius: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  for (const share of [1, 0.6, 0.25]) {
    context.beginPath();
    context.arc(x, y, Math.max(radius * share, 2), 0, 2 * Math.PI);
    context.stroke();
  }
}

function pin(context: CanvasRenderingContext2D, [x, y]: Place, letter: string, colour: string): void {
  context.beginPath();
  context.arc(x, y, 9, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = 'white';
  context.stroke();
  context.fillStyle = 'white';
  context.font = 'bold 11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(letter, x, y + 0.5);
}

/** Cells that change: outlined before their step, filled from it on. */
function closing(
  context: CanvasRenderingContext2D,
  camera: Camera,
  view: Size,
  change: { step: number; terrain: string; cells?: Place[]; rectangle?: { x: number; y: number; width: number; height: number } },
  ink: string,
  now: number,
): void {
  const done = store.mode.value !== 'edit' && now >= change.step;
  const { wall, free } = ground(store.theme.value);
  context.fillStyle = css('#@OT'.includes(change.terrain) ? wall : free);
  context.strokeStyle = ink;
  context.lineWidth = 1;
  context.setLineDash(done ? [] : [4, 3]);
  const boxes = change.rectangle ? [change.rectangle] : (change.cells ?? []).map(([x, y]) => ({ x, y, width: 1, height: 1 }));
  for (const box of boxes) {
    const [x, y] = toView(camera, view, [box.x, box.y]);
    if (done) context.fillRect(x, y, box.width * camera.scale, box.height * camera.scale);
    else context.strokeRect(x + 0.5, y + 0.5, box.width * camera.scale - 1, box.height * camera.scale - 1);
  }
  context.setLineDash([]);
}
