// Tools that change cells: paint, line, rectangle, fill, pick, doors.
import { withCells, withScenario, type Place } from '../draft';
import { css } from '../stage/palette';
import * as store from '../store';
import { boxCells, boxOf, brushCells, cellOf, flooded, holds, line, painter, Stroke } from './paint';
import { pointed, type Drag, type Sheet } from './pointing';
import * as sketch from './sketch';
import { brush, door, prices, said } from './state';
import { nameOf } from './terrain';

let stroke: Stroke | null = null;

const begin = (drag: Drag) => void (stroke = new Stroke(store.cells.value, painter(brush.value, drag.right, prices())));

function show(): void {
  if (stroke !== null) store.working.value = { ...stroke.cells };
}

function commit(): void {
  if (stroke?.changed) store.edit(withCells(store.draft.value, stroke.cells));
  abandon();
}

function abandon(): void {
  stroke = null;
  store.working.value = null;
}

/** Paint other cells than before in the stroke under way: what a line or a rectangle touches changes until it is let go. */
function instead(drag: Drag, cells: Place[]): void {
  begin(drag);
  stroke!.touch(cells);
  show();
}

const under = (place: Place) => brushCells(place, brush.value.size, brush.value.shape);
const along = (drag: Drag) => line(drag.from, drag.to).flatMap(under);

function box(drag: Drag): Place[] {
  const found = boxOf(drag.from, drag.to, store.cells.value);
  return found === null ? [] : boxCells(found, drag.shift ? brush.value.size : Infinity);
}

function preview(sheet: Sheet, at: Place | null, drag: Drag | null): void {
  if (at !== null && drag === null) sketch.outlined(sheet, under(at), 'rgb(128 128 128 / 0.25)');
}

export const paint = pointed(
  {
    name: 'paint',
    title: 'Paint with the brush; the right button paints ground',
    right: true,
    dabs: true,
    begin(drag) {
      begin(drag);
      stroke!.touch(under(drag.from));
      show();
    },
    change(drag) {
      stroke?.touch(line(drag.before, drag.to).flatMap(under));
      show();
    },
    end: commit,
    abandon,
    draw(sheet, at) {
      if (at !== null) sketch.outlined(sheet, under(at), 'rgb(128 128 128 / 0.25)');
    },
  },
  'd',
  'map',
);

export const straight = pointed(
  {
    name: 'line',
    title: 'A straight line with the brush; the right button paints ground',
    right: true,
    begin: (drag) => instead(drag, along(drag)),
    change: (drag) => instead(drag, along(drag)),
    end: commit,
    abandon,
    draw: preview,
  },
  'n',
  'map',
);

export const rectangle = pointed(
  {
    name: 'rectangle',
    title: 'A rectangle, with Shift its border; the right button paints ground',
    right: true,
    begin: (drag) => instead(drag, box(drag)),
    change: (drag) => instead(drag, box(drag)),
    end: commit,
    abandon,
    draw(sheet, at, drag) {
      if (at !== null && drag === null) sketch.outlined(sheet, [cellOf(at)], 'rgb(128 128 128 / 0.25)');
      const size = drag && boxOf(drag.from, drag.to, store.cells.value);
      if (size) sketch.words(sheet, drag.to, `${size.width} × ${size.height}`);
    },
  },
  'q',
  'map',
);

export const fill = pointed(
  {
    name: 'fill',
    title: 'Fill what hangs together with the brush; the right button fills with ground',
    right: true,
    dabs: true,
    end(drag) {
      instead(drag, flooded(store.cells.value, drag.to));
      commit();
    },
    draw(sheet, at) {
      if (at !== null) sketch.outlined(sheet, [cellOf(at)], 'rgb(128 128 128 / 0.25)');
    },
  },
  'f',
  'map',
);

export const pick = pointed(
  {
    name: 'pick',
    title: 'Take the terrain under the pointer as brush',
    dabs: true,
    end(drag) {
      const cell = cellOf(drag.to);
      const { terrain, width } = store.cells.value;
      if (!holds(store.cells.value, cell)) return;
      const code = terrain[cell[1] * width + cell[0]];
      const letter = String.fromCharCode(code);
      if ('@#'.includes(letter)) brush.value = { ...brush.value, what: 'wall' };
      else if ('123456789'.includes(letter)) brush.value = { ...brush.value, what: 'cost', operation: 'set', amount: Number(letter) };
      else brush.value = { ...brush.value, what: 'terrain', letter };
      said.value = `The brush paints ${nameOf(store.tables.value, code)} now.`;
    },
    draw(sheet, at) {
      if (at === null || !holds(store.cells.value, cellOf(at))) return;
      const [x, y] = cellOf(at);
      sketch.outlined(sheet, [[x, y]], 'transparent');
      sketch.words(sheet, at, nameOf(store.tables.value, store.cells.value.terrain[y * store.cells.value.width + x]));
    },
  },
  'k',
  'map',
);

export const doors = pointed(
  {
    name: 'door',
    title: 'Cells that change at a step: drag a rectangle',
    end(drag) {
      const found = boxOf(drag.from, drag.to, store.cells.value);
      if (found === null) return;
      const { scenario } = store.draft.value;
      const changes = [...scenario.changes, { ...door.value, rectangle: found }].sort((a, b) => a.step - b.step);
      store.edit(withScenario(store.draft.value, { changes }));
      said.value = `From step ${door.value.step} on, ${found.width} × ${found.height} cells are ${nameOf(store.tables.value, door.value.terrain.charCodeAt(0))}.`;
    },
    draw(sheet, at, drag) {
      const found = at && boxOf(drag?.from ?? at, at, store.cells.value);
      if (!found) return;
      sketch.outlined(sheet, boxCells(found), css([213, 94, 0, 90]));
      if (drag !== null) sketch.words(sheet, at!, `from step ${door.value.step}`);
    },
  },
  'g',
  'map',
);
