// What Edit mode remembers: the brush, what is chosen, numbers for the next units, and where the cursor is.
import { computed, signal } from '@preact/signals';
import { withScenario, type Draft, type Group, type Place } from '../draft';
import { GROUPS, shaded } from '../stage/palette';
import * as store from '../store';
import { freeShare } from './contents';
import type { Brush } from './paint';
import { astray } from './settle';
import { pricesOf, type Prices } from './terrain';

export const brush = signal<Brush>({ what: 'wall', letter: 'T', shape: 'round', size: 1, operation: 'set', amount: 3 });
/** Number of the group that gets units and a target. */
export const chosen = signal(0);
/** How many units are put into an area; null: as many as have room. */
export const count = signal<number | null>(null);
/** Whether units may stand one above another. */
export const overlapping = signal(false);
/** The next door: from which step on, and what its cells become. */
export const door = signal({ step: 200, terrain: '@' });
/** Where the tool works; null: nowhere. `keys`: it was moved by keys. */
export const cursor = signal<{ place: Place; keys: boolean } | null>(null);
/** What the last act came to, said below the tools. */
export const said = signal('');

const names = ['blue', 'orange', 'green', 'pink', 'amber', 'sky', 'black', 'yellow'];

/** The prices of a movement class, or of that of the map. */
export const prices = (movement?: string): Prices => pricesOf(store.tables.value, movement ?? store.draft.value.scenario.map.movement);

const movement = computed(() => store.draft.value.scenario.map.movement);

/** The percentage of cells that can be entered; counted when the map changes, not when units do. */
export const free = computed(() => freeShare(store.cells.value, pricesOf(store.tables.value, movement.value)));

/** Units of each group that stand where they can't. */
export const strays = computed(() => astray(store.draft.value, store.cells.value, prices));

/** The chosen group's number; a draft without groups gets one. */
export function groupOf(draft: Draft): [Draft, number] {
  const { groups } = draft.scenario;
  if (groups.length > 0) return [draft, Math.min(chosen.value, groups.length - 1)];
  return [withScenario(draft, { groups: [newGroup(draft)] }), 0];
}

/** A group without units, whose target is in the middle of the map's right half. */
export function newGroup(draft: Draft): Group {
  const { groups } = draft.scenario;
  const { width, height } = store.cells.value;
  const like = groups.at(-1);
  const target = like?.target ?? { x: Math.round(0.8 * width), y: Math.round(height / 2), radius: 3 };
  const taken = (name: string) => groups.some((group) => group.name === name);
  const own = names[groups.length]; // the name of its colour, if it can have that
  const free = own !== undefined && !taken(own) ? own : names.find((name) => !taken(name));
  return { name: free ?? `group ${groups.length + 1}`, positions: [], target, radius: like?.radius ?? 0.5, speed: like?.speed ?? 0.15 };
}

/** The colour of a group, an agent or a formation. */
export const colourOf = (number: number) => shaded(GROUPS[number % GROUPS.length], store.theme.value);
