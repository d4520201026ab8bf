// What a draft holds, in rows that a person reads at a glance.
import type { Cells, Draft } from '../draft';
import { sizeOf } from './marching';
import type { Prices } from './terrain';

export type Row = [name: string, value: string];

const told = (count: number) => count.toLocaleString('en');
const units = (count: number, of: number) => `${told(count)} ${count === 1 ? 'unit' : 'units'} in ${told(of)}`;

/**
 * Rows of name and value; what the draft is without is said too, since methods of its family then can't run. free: the
 * percentage of cells that can be entered.
 */
export function contentsOf(draft: Draft, { width, height }: Cells, free: number): Row[] {
  const { agents, formations, ends, scenario } = draft;
  const grouped = scenario.groups.reduce((sum, group) => sum + group.positions.length, 0);
  const formed = formations.reduce((sum, formation) => sum + sizeOf(formation), 0);
  const changes: Row[] = scenario.changes.length > 0 ? [['changes of the map', told(scenario.changes.length)]] : [];
  return [
    ['map', `${width} × ${height} cells`],
    ['free', `${free} %`],
    ['groups', grouped > 0 ? units(grouped, scenario.groups.filter((group) => group.positions.length > 0).length) : 'no units'],
    ...changes,
    ['agents', agents.length > 0 ? told(agents.length) : 'none'],
    ['formations', formations.length > 0 ? units(formed, formations.length) : 'none'],
    ['one unit', ends.start && ends.goal ? 'start and goal' : ends.start ? 'no goal' : ends.goal ? 'no start' : 'none'],
  ];
}

/** The percentage of cells that can be entered: 100 only if all can, 0 only if none. */
export function freeShare({ terrain }: Cells, price: Prices): number {
  const enterable = Array.from({ length: 256 }, (_, code) => price(code) !== null);
  let free = 0;
  for (const code of terrain) if (enterable[code]) free++;
  if (free === 0 || free === terrain.length) return free === 0 ? 0 : 100;
  return Math.min(Math.max(Math.round((100 * free) / terrain.length), 1), 99);
}
