// What a draft keeps when its map becomes another one: everybody moves to the nearest place where there is room.
import { textOf, withScenario, type Cells, type Change, type Draft, type Formation, type Place } from '../draft';
import { clear, Crowd, nearestRoom } from './crowd';
import { boxOf, cellOf, holds } from './paint';
import type { Prices } from './terrain';

/** Units of each group that stand in a wall or outside the map: their numbers. */
export function astray(draft: Draft, cells: Cells, prices: (movement?: string) => Prices): number[][] {
  return draft.scenario.groups.map((group) => {
    const price = prices(group.movement);
    return group.positions.flatMap((place, k) => (stands(cells, price, place) ? [] : [k]));
  });
}

export function stands(cells: Cells, prices: Prices, place: Place): boolean {
  const [x, y] = cellOf(place);
  return holds(cells, [x, y]) && prices(cells.terrain[y * cells.width + x]) !== null;
}

/** Move units out of walls and back onto the map. Those for whom there is no room are taken away. */
export function movedOut(draft: Draft, cells: Cells, prices: (movement?: string) => Prices): Draft {
  const bad = astray(draft, cells, prices);
  if (bad.every((units) => units.length === 0)) return draft;
  const staying = draft.scenario.groups.map((group, g) => {
    const away = new Set(bad[g]);
    return { ...group, positions: group.positions.filter((_, k) => !away.has(k)) };
  });
  const crowd = new Crowd(staying);
  const groups = draft.scenario.groups.map((group, g) => {
    const price = prices(group.movement);
    const away = new Set(bad[g]);
    const positions: Place[] = [];
    group.positions.forEach((place, k) => {
      if (!away.has(k)) return void positions.push(place);
      const fits = (at: Place) => clear(cells, price, at, group.radius) && crowd.free(at, group.radius);
      const room = nearestRoom(cells, fits, place);
      if (room === null) return;
      crowd.add(room, group.radius);
      positions.push(room);
    });
    return { ...group, positions };
  });
  return withScenario(draft, { groups });
}

/** What a draft has lost on another map, as a sentence; empty if nothing. */
export function lost(before: Draft, after: Draft): string {
  const units = ({ scenario }: Draft) => scenario.groups.reduce((sum, group) => sum + group.positions.length, 0);
  const counts: [number, string][] = [
    [units(before) - units(after), 'unit'],
    [before.agents.length - after.agents.length, 'agent'],
    [before.formations.length - after.formations.length, 'formation'],
    [before.scenario.changes.length - after.scenario.changes.length, 'change of the map'],
  ];
  const gone = counts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en')} ${count === 1 ? what : what.replace(/^\w+/, '$&s')}`);
  return gone.length === 0 ? '' : `No place on this map for ${gone.join(', ')}: undo brings them back.`;
}

/** A draft on another map: units, targets, ends and formations come along, doors and agents as far as they fit. */
export function settled(draft: Draft, cells: Cells, prices: (movement?: string) => Prices): Draft {
  const { scenario } = draft;
  const near = (place: Place, price: Prices, middle: boolean): Place | null => {
    if (stands(cells, price, place)) return place;
    const room = nearestRoom(cells, (at) => stands(cells, price, at), place);
    return room === null || middle ? room : cellOf(room);
  };
  const land = prices();
  const groups = scenario.groups.map((group) => {
    const [x, y] = near([group.target.x, group.target.y], prices(group.movement), true) ?? [group.target.x, group.target.y];
    return { ...group, target: { ...group.target, x, y } };
  });
  const changes = scenario.changes.flatMap((change): Change[] => {
    if (change.rectangle) {
      const { x, y, width, height } = change.rectangle;
      const rectangle = boxOf([x, y], [x + width - 1, y + height - 1], cells);
      return rectangle === null ? [] : [{ ...change, rectangle }];
    }
    const kept = (change.cells ?? []).filter((cell) => holds(cells, cell));
    return kept.length === 0 ? [] : [{ ...change, cells: kept }];
  });
  const end = (place: Place | null) => place && near(place, land, false);
  const formations = draft.formations.flatMap((formation): Formation[] => {
    const start = near(formation.start, land, true);
    const order = formation.order.map((one) => ({ ...one, places: one.places.map((place) => near(place, land, true) ?? place) }));
    return start === null ? [] : [{ ...formation, start, order }];
  });
  const next: Draft = {
    scenario: { ...scenario, map: { ...scenario.map, text: textOf(cells) }, groups, changes },
    ends: { ...draft.ends, start: end(draft.ends.start), goal: end(draft.ends.goal) },
    agents: draft.agents.filter((agent) => stands(cells, land, agent.start) && stands(cells, land, agent.goal)),
    formations,
  };
  return movedOut(next, cells, prices);
}
