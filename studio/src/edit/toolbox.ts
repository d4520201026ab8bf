// All tools of Edit mode, which of them is in the hand, and the letters that take them.
import { effect, signal, untracked } from '@preact/signals';
import * as clock from '../clock';
import type { Key } from '../playing';
import * as store from '../store';
import { pointer, tool, type Tool } from '../tools';
import { ends, searchAlways, SINGLE } from './ends';
import { formation, way } from './formations';
import { mark } from './marks';
import { pair } from './pairs';
import { doors, fill, paint, pick, rectangle, straight } from './painting';
import type { EditTool } from './pointing';
import { cursor, said } from './state';
import { box, remove, round_, target, unit } from './units';

const look: EditTool = { ...pointer, letter: 'v', group: 'map', title: 'Look: drag the map' };

export const TOOLS: EditTool[] = [look, paint, straight, rectangle, fill, pick, doors, unit, box, round_, target, remove, formation, way, pair, ends];

/** The tool of Edit mode. */
export const taken = signal<EditTool>(paint);

/** Whether the ends of one unit are what clicks under Plan set. */
export const setting = signal(true);

export function take(one: EditTool): void {
  if (store.mode.value === 'plan') setting.value = one === ends;
  else taken.value = one;
  said.value = '';
}

/** Letters of the tools; `ctrl+` is left to others. */
export const LETTERS: Key[] = TOOLS.map((one) => ({
  keys: one.letter.toUpperCase(),
  what: one.title,
  on: [one.letter, one.letter.toUpperCase()],
  when: () => store.mode.value === 'edit' || (store.mode.value === 'plan' && (one === ends || one === look)),
  go: () => take(one),
}));

/** The tool that belongs into the hand under Edit, and under Plan. */
export const editing = (): Tool => taken.value;
export const planning = (): Tool => (SINGLE.includes(store.current.value.request.value.family) && setting.value ? ends : pointer);

/** Keep a tool in the hand; returns how to put it away. */
export function hold(wanted: () => Tool): () => void {
  const stop = effect(() => {
    const next = wanted();
    untracked(() => tool.value.cancel?.());
    tool.value = next;
  });
  return () => {
    stop();
    tool.value.cancel?.();
    tool.value = pointer;
    cursor.value = null;
    said.value = '';
  };
}

/** Draw marks of what is edited, and search as ends are set. */
export function equip(): void {
  mark();
  searchAlways();
  effect(() => {
    void [taken.value, cursor.value, said.value];
    clock.redraw();
  });
}
