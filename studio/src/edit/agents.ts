// Agents with a start and a goal each: by chance, or from groups.
import type { Agent, Cells, Group, Place } from '../draft';
import { dice, nearestRoom } from './crowd';
import { holds } from './paint';
import type { Prices } from './terrain';

/** The cells of each part of the map that hangs together, side by side; the largest part first. */
export function parts(cells: Cells, prices: Prices): number[][] {
  const { width, terrain } = cells;
  const open = Uint8Array.from(terrain, (code) => (prices(code) === null ? 0 : 1));
  const found: number[][] = [];
  for (let first = 0; first < open.length; first++) {
    if (open[first] === 0) continue;
    open[first] = 0;
    const part = [first];
    for (let k = 0; k < part.length; k++) {
      const cell = part[k];
      const column = cell % width;
      for (const next of [column > 0 ? cell - 1 : -1, column + 1 < width ? cell + 1 : -1, cell - width, cell + width]) {
        if (next >= 0 && open[next] === 1) {
          open[next] = 0;
          part.push(next);
        }
      }
    }
    found.push(part);
  }
  return found.sort((a, b) => b.length - a.length);
}

/** Agents by chance in the largest part of the map, no two with the same start or the same goal. */
export function randomAgents(cells: Cells, prices: Prices, count: number, seed: number): Agent[] {
  const part = (parts(cells, prices)[0] ?? []).sort((a, b) => a - b);
  const chance = dice(seed);
  const starts = shuffled(part, chance);
  const goals = shuffled(part, chance);
  const agents: Agent[] = [];
  for (let k = 0; k < Math.min(count, part.length); k++) agents.push({ start: place(starts[k], cells), goal: place(goals[k], cells) });
  return agents;
}

/** Each unit of the groups as an agent: from its cell, or the nearest one left, to a cell near its group's target. */
export function agentsOf(groups: Group[], cells: Cells, prices: Prices): Agent[] {
  const free = new Set<number>();
  cells.terrain.forEach((code, cell) => prices(code) !== null && free.add(cell));
  const goals = new Set(free);
  const agents: Agent[] = [];
  for (const group of groups) {
    for (const position of group.positions) {
      const start = nearest(free, position, cells);
      const goal = nearest(goals, [group.target.x, group.target.y], cells);
      if (start === null || goal === null) return agents;
      agents.push({ start: place(start, cells), goal: place(goal, cells) });
      free.delete(start);
      goals.delete(goal);
    }
  }
  return agents;
}

/** The cell of a set that is nearest to a place. */
function nearest(among: Set<number>, from: Place, cells: Cells): number | null {
  const number = ([x, y]: Place) => Math.floor(y) * cells.width + Math.floor(x);
  const found = nearestRoom(cells, (at) => holds(cells, at) && among.has(number(at)), from);
  return found === null ? null : number(found);
}

const place = (cell: number, { width }: Cells): Place => [cell % width, Math.floor(cell / width)];

function shuffled(all: number[], chance: () => number): number[] {
  const mixed = all.slice();
  for (let k = mixed.length - 1; k > 0; k--) {
    const other = Math.floor(chance() * (k + 1));
    [mixed[k], mixed[other]] = [mixed[other], mixed[k]];
  }
  return mixed;
}
