// Tools for units of groups and their targets.
import { round, withGroup, withScenario, type Draft, type Place } from '../draft';
import { bullsEye } from '../marks';
import { css } from '../stage/palette';
import * as store from '../store';
import { clear, Crowd, disc, placed, rectangle, type Area } from './crowd';
import { pointed, type Drag, type Sheet } from './pointing';
import { stands } from './settle';
import * as sketch from './sketch';
import { chosen, colourOf, count, groupOf, overlapping, prices, said } from './state';

const near = ([x, y]: Place): Place => [round(x), round(y)];

function standing(draft: Draft, number: number) {
  const group = draft.scenario.groups[number];
  const crowd = overlapping.value ? null : new Crowd(draft.scenario.groups);
  return { cells: store.cells.value, prices: prices(group.movement), crowd, radius: group.radius };
}

/** Put units into the chosen group. */
function add(draft: Draft, number: number, places: Place[]): void {
  const positions = [...draft.scenario.groups[number].positions, ...places];
  store.edit(withGroup(draft, number, { positions }));
  chosen.value = number;
}

/** Set the chosen group's target where a press began; dragging sets the radius. */
function aim(drag: Drag): void {
  const [draft, number] = groupOf(store.draft.value);
  const { target, movement } = draft.scenario.groups[number];
  const [x, y] = near(drag.from);
  if (!stands(store.cells.value, prices(movement), [x, y])) {
    said.value = 'A target can’t lie in a wall or outside the map.';
    return;
  }
  const radius = drag.far ? radiusOf(drag) : target.radius;
  store.edit(withGroup(draft, number, { target: { x, y, radius } }));
  said.value = `Target at x=${x}, y=${y}, radius ${radius}.`;
}

const radiusOf = (drag: Drag) => Math.max(0.5, Math.round(2 * Math.hypot(drag.to[0] - drag.from[0], drag.to[1] - drag.from[1])) / 2);

function aiming(sheet: Sheet, at: Place, drag: Drag | null): void {
  const [draft, number] = groupOf(store.draft.value);
  const radius = drag?.far ? radiusOf(drag) : draft.scenario.groups[number].target.radius;
  bullsEye(sheet.context, sheet.at(drag?.from ?? at), radius * sheet.scale, css(colourOf(number)));
  if (drag?.far) sketch.words(sheet, drag.to, `radius ${radius}`);
}

export const unit = pointed(
  {
    name: 'unit',
    title: 'Units one by one; the right button sets the target, dragging its radius',
    right: true,
    dabs: true,
    end(drag) {
      if (drag.right) return aim(drag);
      const [draft, number] = groupOf(store.draft.value);
      const { cells, prices: price, crowd, radius } = standing(draft, number);
      const place = near(drag.to);
      if (!clear(cells, price, place, radius) || (crowd !== null && !crowd.free(place, radius))) {
        said.value = 'There is no room for a unit here.';
        return;
      }
      add(draft, number, [place]);
      said.value = `Unit ${draft.scenario.groups[number].positions.length + 1} of ${draft.scenario.groups[number].name}.`;
    },
    draw(sheet, at, drag) {
      if (at === null) return;
      if (drag?.right) return aiming(sheet, at, drag);
      const [draft, number] = groupOf(store.draft.value);
      const { cells, prices: price, crowd, radius } = standing(draft, number);
      const fits = clear(cells, price, at, radius) && (crowd === null || crowd.free(at, radius));
      sketch.units(sheet, [at], radius, fits ? colourOf(number) : [179, 38, 30, 255]);
    },
  },
  'i',
  'units',
);

/** A tool that puts units into an area. */
function spread(name: string, title: string, letter: string, areaOf: (drag: Drag) => Area) {
  const found = (drag: Drag) => {
    const [draft, number] = groupOf(store.draft.value);
    return { draft, number, places: placed(areaOf(drag), count.value, standing(draft, number)) };
  };
  return pointed(
    {
      name,
      title,
      right: true,
      end(drag) {
        if (drag.right) return aim(drag);
        const { draft, number, places } = found(drag);
        if (places.length === 0) {
          said.value = drag.far ? 'There is no room for units here.' : 'Drag over an area.';
          return;
        }
        add(draft, number, places);
        const short = count.value !== null && places.length < count.value ? ` There is no room for the other ${count.value - places.length}.` : '';
        said.value = `${places.length} units more.${short}`;
      },
      draw(sheet, at, drag) {
        if (drag === null || at === null) return;
        if (drag.right) return aiming(sheet, at, drag);
        const { draft, number, places } = found(drag);
        sketch.area(sheet, areaOf(drag));
        sketch.units(sheet, places, draft.scenario.groups[number].radius, colourOf(number));
        sketch.words(sheet, drag.to, `${places.length}`);
      },
    },
    letter,
    'units',
  );
}

export const box = spread('area', 'Units in a rectangle: drag; the right button sets the target', 'a', (drag) => rectangle(drag.from, drag.to));
export const round_ = spread('disc', 'Units in a disc: drag from its middle; the right button sets the target', 'o', (drag) =>
  disc(drag.from, Math.hypot(drag.to[0] - drag.from[0], drag.to[1] - drag.from[1])),
);

export const target = pointed(
  {
    name: 'target',
    title: 'The target of the chosen group; dragging sets its radius',
    right: true,
    end: aim,
    draw(sheet, at, drag) {
      if (at !== null) aiming(sheet, at, drag);
    },
  },
  't',
  'units',
);

/** A draft without what stands in an area: units, agents, formations. */
export function without(draft: Draft, area: Area, slack: number): Draft {
  const out = ([x, y]: Place, radius: number) => x < area.x0 - radius || y < area.y0 - radius || x > area.x1 + radius || y > area.y1 + radius;
  const groups = draft.scenario.groups.map((group) => {
    const positions = group.positions.filter((place) => out(place, slack === 0 ? 0 : group.radius));
    return positions.length === group.positions.length ? group : { ...group, positions };
  });
  const agents = draft.agents.filter(({ start }) => out([start[0] + 0.5, start[1] + 0.5], slack));
  const formations = draft.formations.filter(({ start }) => out(start, slack));
  const same =
    groups.every((group, k) => group === draft.scenario.groups[k]) && agents.length === draft.agents.length && formations.length === draft.formations.length;
  return same ? draft : { ...withScenario(draft, { groups }), agents, formations };
}

export const remove = pointed(
  {
    name: 'remove',
    title: 'Remove units, agents and formations: click one, or drag a rectangle',
    end(drag) {
      const before = store.draft.value;
      const next = without(before, rectangle(drag.from, drag.to), drag.far ? 0 : 0.5);
      store.edit(next);
      said.value = next === before ? 'There is nobody here.' : `${unitsOf(before) - unitsOf(next)} removed.`;
    },
    draw(sheet, at, drag) {
      if (drag?.far) sketch.area(sheet, rectangle(drag.from, drag.to));
      else if (at !== null) {
        const [x, y] = sheet.at(at);
        sheet.context.beginPath();
        sheet.context.moveTo(x - 6, y - 6);
        sheet.context.lineTo(x + 6, y + 6);
        sheet.context.moveTo(x + 6, y - 6);
        sheet.context.lineTo(x - 6, y + 6);
        sketch.twoToned(sheet.context);
      }
    },
  },
  'x',
  'units',
);

const unitsOf = (draft: Draft) =>
  draft.scenario.groups.reduce((sum, group) => sum + group.positions.length, 0) + draft.agents.length + draft.formations.length;
