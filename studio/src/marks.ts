// Marks above the map: targets, ends, doors that close, the unit that was chosen.
import { drawUnits, played } from './act/show';
import * as clock from './clock';
import type { Place } from './draft';
import type { Pane } from './pane';
import { toView, type Camera, type Size } from './stage/camera';
import { css, ground, GROUPS } from './stage/palette';
import type { Marks } from './stage/stage';
import * as store from './store';
import { tool } from './tools';

export function marksOf(pane: Pane): Marks {
  return (context, camera, view) => {
    if (pane.marks !== null && store.mode.value !== 'edit') {
      pane.marks(context, camera, view);
      tool.value.draw?.(context, camera, view);
      return;
    }
    const { scenario, ends } = store.draft.value;
    const family = pane.request.value.family;
    const at = (place: Place) => toView(camera, view, place);
    const ink = css(ground(store.theme.value).ink);
    if (family === 'group' || store.mode.value === 'edit') {
      scenario.groups.forEach((group, number) => {
        const colour = css(GROUPS[number % GROUPS.length]);
        bullsEye(context, at([group.target.x, group.target.y]), group.target.radius * camera.scale, colour);
      });
      for (const change of scenario.changes) closing(context, camera, view, change, ink);
    }
    if (['search', 'space', 'drive'].includes(family)) {
      if (ends.start !== null) pin(context, at(middle(ends.start)), 'S', css(GROUPS[2]));
      if (ends.goal !== null) pin(context, at(middle(ends.goal)), 'G', css(GROUPS[1]));
    }
    const run = pane.run.value;
    const unit = store.unit.value;
    if (run !== null && store.mode.value !== 'edit') drawUnits(context, camera, view, pane, pane.ways ?? played(run));
    if (run !== null && unit >= 0 && unit < run.units && store.mode.value !== 'edit') {
      const place = at([run.moment.positions[2 * unit], run.moment.positions[2 * unit + 1]]);
      ring(context, place, Math.max(run.radius[unit] * camera.scale, 4) + 4, ink);
    }
    tool.value.draw?.(context, camera, view);
  };
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
): void {
  const done = store.mode.value !== 'edit' && clock.time.value >= change.step;
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
