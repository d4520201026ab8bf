// What a draft holds, in rows that a person reads at a glance.
import type { Cells, Draft } from '../draft';
import type { Prices } from './terrain';

export type Row = [name: string, value: string];

const many = (count: number, one: string, more = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

/** Rows of name and value; what the draft is without is said too, since methods of its family then can't run. */
export function contentsOf(draft: Draft, cells: Cells, price: Prices): Row[] {
  const { groups, changes } = draft.scenario;
  const units = groups.reduce((sum, group) => sum + group.positions.length, 0);
  const { start, goal } = draft.ends;
  const ends = start && goal ? 'start and goal' : start ? 'no goal' : goal ? 'no start' : 'none';
  const marching = draft.formations.reduce((sum, formation) => sum + Number(formation.units), 0);
  return [
    ['map', `${cells.width} × ${cells.height} cells`],
    ['free', `${freeOf(cells, price)} %`],
    ['groups', units > 0 ? `${many(units, 'unit')} in ${groups.length}` : 'no units'],
    ...(changes.length > 0 ? [['changes of the map', `${changes.length}`] as Row] : []),
    ['agents', draft.agents.length > 0 ? `${draft.agents.length}` : 'none'],
    ['formations', draft.formations.length > 0 ? `${many(marching, 'unit')} in ${draft.formations.length}` : 'none'],
    ['one unit', ends],
  ];
}

/** The percentage of cells that can be entered, rounded so that only a full map is 100 and only an empty one 0. */
function freeOf({ terrain }: Cells, price: Prices): number {
  const enterable = Array.from({ length: 256 }, (_, code) => price(code) !== null);
  let free = 0;
  for (const code of terrain) if (enterable[code]) free++;
  const share = (100 * free) / Math.max(terrain.length, 1);
  return share < 50 ? Math.ceil(share) : Math.floor(share);
}
