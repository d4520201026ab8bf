// Marks of what is being edited: agents, formations, where the chosen group goes, units that stand in walls.
import { numbering } from '../act/show';
import { toView } from '../stage/camera';
import { css } from '../stage/palette';
import { extras, ring } from '../marks';
import type { Pane } from '../pane';
import * as store from '../store';
import { tool } from '../tools';
import { drawn, marching } from './formations';
import { middleOf } from './paint';
import type { Sheet } from './pointing';
import * as sketch from './sketch';
import { chosen, colourOf, strays } from './state';

const CROWDED = 60; // agents with lines from start to goal

function agents(sheet: Sheet): void {
  const { agents } = store.draft.value;
  const write = numbering(sheet.context, `${agents.length - 1}`.length);
  agents.forEach(({ start, goal }, k) => {
    const colour = colourOf(k);
    sketch.units(sheet, [middleOf(start)], 0.38, colour, 1);
    const [x, y] = sheet.at(middleOf(goal));
    const side = Math.max(0.6 * sheet.scale, 4);
    sheet.context.strokeStyle = css(colour);
    sheet.context.lineWidth = 2;
    sheet.context.strokeRect(x - side / 2, y - side / 2, side, side);
    if (agents.length <= CROWDED) {
      sheet.context.globalAlpha = 0.5;
      sketch.arrow(sheet, middleOf(start), middleOf(goal), css(colour), 1);
      sheet.context.globalAlpha = 1;
    }
    if (sheet.scale >= 14) write(`${k}`, sheet.at(middleOf(start)), 0.38 * sheet.scale, colour);
  });
}

function formations(sheet: Sheet): void {
  store.draft.value.formations.forEach((formation, k) => {
    drawn(sheet, formation, k);
    if (k === marching.value && store.mode.value === 'edit') ring(sheet.context, sheet.at(formation.start), 10, css(colourOf(k)));
  });
}

function groups(sheet: Sheet): void {
  const group = store.draft.value.scenario.groups[chosen.value];
  if (group === undefined || group.positions.length === 0) return;
  const n = group.positions.length;
  const middle: [number, number] = [0, 0];
  for (const [x, y] of group.positions) {
    middle[0] += x / n;
    middle[1] += y / n;
  }
  sheet.context.setLineDash([2, 5]);
  sketch.arrow(sheet, middle, [group.target.x, group.target.y], css(colourOf(chosen.value)), 1.5);
  sheet.context.setLineDash([]);
}

function misplaced(sheet: Sheet): void {
  strays.value.forEach((units, g) => {
    const group = store.draft.value.scenario.groups[g];
    for (const k of units) ring(sheet.context, sheet.at(group.positions[k]), Math.max(group.radius * sheet.scale, 3) + 3, css([200, 30, 30, 255]));
  });
}

/** Draw these marks from now on. */
export function mark(): void {
  extras.push((pane: Pane, context, camera, view) => {
    const sheet: Sheet = { context, at: (place) => toView(camera, view, place), scale: camera.scale };
    const { family } = pane.request.value;
    const editing = store.mode.value === 'edit';
    const planning = store.mode.value === 'plan' && pane.run.value === null;
    if (editing || (planning && family === 'mapf')) agents(sheet);
    if (editing || (planning && family === 'formation')) formations(sheet);
    if (editing) {
      if (['unit', 'area', 'disc', 'target'].includes(tool.value.name)) groups(sheet);
      misplaced(sheet);
    }
  });
}
