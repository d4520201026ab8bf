// Agents with a start and a goal each, by two clicks.
import type { Agent, Place } from '../draft';
import { css } from '../stage/palette';
import * as store from '../store';
import { cellOf, middleOf } from './paint';
import { pointed } from './pointing';
import { stands } from './settle';
import * as sketch from './sketch';
import { colourOf, prices, said } from './state';

let start: Place | null = null;

const same = (a: Place, b: Place) => a[0] === b[0] && a[1] === b[1];

/** Why an agent can't have an end in a cell; null if it can. */
export function refused(agents: Agent[], end: 'start' | 'goal', cell: Place): string | null {
  const other = agents.findIndex((agent) => same(agent[end], cell));
  return other < 0 ? null : `Agent ${other} has its ${end} here.`;
}

export const pair = pointed(
  {
    name: 'agent',
    title: 'Agents: click a start, then its goal',
    dabs: true,
    right: true,
    end(drag) {
      const draft = store.draft.value;
      const cell = cellOf(drag.to);
      if (drag.right) {
        start = null;
        said.value = '';
        return;
      }
      const problem = stands(store.cells.value, prices(), cell) ? refused(draft.agents, start === null ? 'start' : 'goal', cell) : 'Nobody can stand there.';
      if (problem !== null) {
        said.value = problem;
      } else if (start === null) {
        start = cell;
        said.value = 'Now click its goal.';
      } else {
        store.edit({ ...draft, agents: [...draft.agents, { start, goal: cell }] });
        said.value = `Agent ${draft.agents.length}.`;
        start = null;
      }
    },
    key(event) {
      if (event.key !== 'Escape' || start === null) return false;
      start = null;
      return true;
    },
    draw(sheet, at) {
      if (at === null) return;
      const colour = colourOf(store.draft.value.agents.length);
      sketch.outlined(sheet, [cellOf(at)], css([...colour.slice(0, 3), 90]));
      if (start !== null) sketch.arrow(sheet, middleOf(start), at, css(colour));
    },
  },
  'y',
  'agents',
);
