// A finer grid: each cell becomes four, and everything is where it was. Units keep their size in cells, so they become
// smaller in the world and have more room: the source's grid size.
import { cellsOf, withCells, withScenario, type Cells, type Draft, type Place } from '../draft';

const FACTOR = 2;

const scaled = ([x, y]: Place): Place => [FACTOR * x, FACTOR * y];
/** An end that is a cell stays one: the upper left of the four. */
const end = (place: Place | null) => (place === null ? null : scaled(place));

export function finerCells({ width, height, terrain }: Cells): Cells {
  const wide = FACTOR * width;
  const next = new Uint8Array(wide * FACTOR * height);
  for (let k = 0; k < next.length; k++) {
    next[k] = terrain[Math.floor(k / wide / FACTOR) * width + Math.floor((k % wide) / FACTOR)];
  }
  return { width: wide, height: FACTOR * height, terrain: next };
}

export function finer(draft: Draft): Draft {
  const { scenario } = draft;
  const next = withCells(draft, finerCells(cellsOf(scenario.map.text)));
  const blocks = (cells: Place[]) =>
    cells.flatMap(([x, y]) => [0, 1].flatMap((dy) => [0, 1].map((dx): Place => [FACTOR * x + dx, FACTOR * y + dy])));
  return {
    ...withScenario(next, {
      groups: scenario.groups.map((group) => ({
        ...group,
        positions: group.positions.map(scaled),
        target: { x: FACTOR * group.target.x, y: FACTOR * group.target.y, radius: FACTOR * group.target.radius },
      })),
      changes: scenario.changes.map(({ cells, rectangle, ...change }) => ({
        ...change,
        ...(cells && { cells: blocks(cells) }),
        ...(rectangle && {
          rectangle: { x: FACTOR * rectangle.x, y: FACTOR * rectangle.y, width: FACTOR * rectangle.width, height: FACTOR * rectangle.height },
        }),
      })),
    }),
    ends: { ...draft.ends, start: end(draft.ends.start), goal: end(draft.ends.goal) },
    agents: draft.agents.map(({ start, goal }) => ({ start: scaled(start), goal: scaled(goal) })),
    formations: draft.formations.map((formation) => ({
      ...formation,
      start: scaled(formation.start),
      order: formation.order.map((order) => ({ ...order, places: order.places.map(scaled) })),
    })),
  };
}
