// Formations: placed by a click, turned by dragging, ordered by clicks with the right button.
import { signal } from '@preact/signals';
import { round, type Draft, type Formation, type Place } from '../draft';
import { css } from '../stage/palette';
import * as store from '../store';
import { pointed, type Drag, type Sheet } from './pointing';
import { azimuthOf, ordered, seenFromLeader, turned } from './marching';
import { stands } from './settle';
import { shapePlaces } from './shapes';
import * as sketch from './sketch';
import { colourOf, prices, said } from './state';

/** What the next formation is like. */
export const next = signal<{ shape: string; units: number; spacing: number; modules: Record<string, string | number> }>({
  shape: 'wedge',
  units: 9,
  spacing: 2,
  modules: {},
});
/** Number of the formation that orders go to, -1: none. */
export const marching = signal(-1);

const near = ([x, y]: Place): Place => [round(x), round(y)];

export function withFormation(draft: Draft, number: number, part: Partial<Formation>): Draft {
  return { ...draft, formations: draft.formations.map((one, k): Formation => (k === number ? { ...one, ...part } : one)) };
}

function order(drag: Drag): void {
  const draft = store.draft.value;
  const number = draft.formations[marching.value] === undefined ? draft.formations.length - 1 : marching.value;
  if (number < 0) return void (said.value = 'Place a formation first.');
  const place = near(drag.to);
  if (!stands(store.cells.value, prices(), place)) return void (said.value = 'Nobody can stand there.');
  store.edit(withFormation(draft, number, ordered(draft.formations[number], place, drag.shift)));
  marching.value = number;
  said.value = drag.shift ? 'One place more on the way.' : 'The target is set; with Shift, places are added to the way.';
}

const FACING = 0; // to the north, unless it is dragged

type Look = Pick<Formation, 'shape' | 'units' | 'spacing' | 'area' | 'spots' | 'commander'>;

/** Where the units stand in a march to the north, as seen from the leader. */
function placesOf({ shape, units, spacing, area, spots, commander }: Look): Place[] {
  if (shape !== undefined) return turned(shapePlaces(shape, units ?? 1, area), 0, [0, 0], area === undefined ? (spacing ?? 2) : 1);
  return seenFromLeader(spots ?? [], commander ?? []);
}

export const formation = pointed(
  {
    name: 'formation',
    title: 'Place a formation: click its leader’s place, drag to turn it; right button: target, with Shift: another place on the way',
    right: true,
    begin(drag) {
      const found = store.draft.value.formations.findIndex(({ start }) => Math.hypot(start[0] - drag.from[0], start[1] - drag.from[1]) < Math.max(0.5, 8 / drag.scale));
      if (!drag.right && found >= 0) marching.value = found;
    },
    end(drag) {
      if (drag.right) return order(drag);
      const draft = store.draft.value;
      const held = draft.formations.findIndex(({ start }) => Math.hypot(start[0] - drag.from[0], start[1] - drag.from[1]) < Math.max(0.5, 8 / drag.scale));
      if (held >= 0) {
        if (drag.far) store.edit(withFormation(draft, held, { azimuth: azimuthOf(drag.from, drag.to) }));
        said.value = `Formation ${held + 1} is chosen: the right button sets its target.`;
        return;
      }
      const start = near(drag.from);
      if (!stands(store.cells.value, prices(), start)) return void (said.value = 'The leader can’t stand there.');
      const { shape, units, spacing, modules } = next.value;
      const made: Formation = { shape, units, spacing, start, azimuth: drag.far ? azimuthOf(drag.from, drag.to) : FACING, order: [], modules };
      store.edit({ ...draft, formations: [...draft.formations, made] });
      marching.value = draft.formations.length;
      said.value = 'Now set its target with the right button, or with the tool for ways.';
    },
    draw(sheet, at, drag) {
      if (at === null || drag?.right) return;
      const azimuth = drag?.far ? azimuthOf(drag.from, drag.to) : FACING;
      const { shape, units, spacing } = next.value;
      drawn(sheet, { shape, units, spacing, start: drag?.from ?? at, azimuth }, store.draft.value.formations.length, 0.6);
    },
  },
  'm',
  'formations',
);

export const way = pointed(
  {
    name: 'way',
    title: 'Where the chosen formation goes: click its target, with Shift another place on the way',
    right: true,
    dabs: true,
    end: order,
    draw(sheet, at) {
      const chosen = store.draft.value.formations[marching.value];
      if (at === null || chosen === undefined) return;
      sketch.arrow(sheet, chosen.order[0]?.places.at(-1) ?? chosen.start, at, css(colourOf(marching.value)));
    },
  },
  'w',
  'formations',
);

/** A formation where it begins: its units, where it faces, and its way. */
export function drawn(sheet: Sheet, one: Look & Pick<Formation, 'start' | 'azimuth'> & { order?: Formation['order'] }, number: number, opacity = 0.9): void {
  const colour = colourOf(number);
  const spacing = one.spacing ?? 1.5;
  sketch.units(sheet, turned(placesOf(one), one.azimuth, one.start, 1), Math.min(0.45, 0.3 * spacing), colour, opacity);
  const [ahead] = turned([[0, -1.5]], one.azimuth, one.start, Math.max(spacing, 1.5));
  sketch.arrow(sheet, one.start, ahead, css(colour));
  let from = one.start;
  for (const place of one.order?.[0]?.places ?? []) {
    sheet.context.setLineDash([6, 4]);
    sketch.arrow(sheet, from, place, css(colour), 1.5);
    sheet.context.setLineDash([]);
    from = place;
  }
}
