// What is compared: the panes on the stage, and others that have no room there but stand in the table.
import { computed, effect, untracked } from '@preact/signals';
import * as clock from '../clock';
import { Pane, type Request } from '../pane';
import * as store from '../store';

export const LEAST = 2;
export const MOST = 4; // stages

const { others, away, usual } = store;

export const all = computed(() => [...store.panes.value, ...others.value]);

/** The group methods that nobody has yet, in the order of the table. */
function free(): string[] {
  const taken = new Set(all.value.map((pane) => pane.request.value.method));
  return (store.tables.value?.methods ?? []).filter((row) => row.family === 'group' && !taken.has(row.name)).map((row) => row.name);
}

function contestant(request: Request): Pane {
  const pane = new Pane();
  pane.request.value = request;
  pane.shown.value = new Set();
  return pane;
}

/** One more on the stage, with a method that nobody has yet. */
export function add(): void {
  if (store.panes.value.length >= MOST) return;
  const { seed } = store.current.value.request.value;
  const method = free()[0] ?? store.current.value.request.value.method;
  store.panes.value = [...store.panes.value, contestant({ family: 'group', method, options: {}, seed })];
}

export function remove(pane: Pane): void {
  store.cancel(pane);
  others.value = others.value.filter((one) => one !== pane);
  if (!store.panes.value.includes(pane) || store.panes.value.length <= 1) return;
  store.panes.value = store.panes.value.filter((one) => one !== pane);
}

/** All group methods with their defaults: four on the stage, the rest in the table. */
export function every(): void {
  const { seed } = store.current.value.request.value;
  const more = free().map((method) => contestant({ family: 'group', method, options: {}, seed }));
  const room = Math.max(0, MOST - store.panes.value.length);
  store.panes.value = [...store.panes.value, ...more.slice(0, room)];
  others.value = [...others.value, ...more.slice(room)];
}

/** Put one that is in the table only on the stage, in the place of the last if there is no room. */
export function stage(pane: Pane): void {
  const panes = store.panes.value;
  const leaves = panes.length >= MOST ? panes.slice(MOST - 1) : [];
  others.value = [...others.value.filter((one) => one !== pane), ...leaves];
  store.panes.value = [...panes.filter((one) => !leaves.includes(one)), pane];
}

/** The same seed for all. */
export function seed(value: number): void {
  for (const pane of all.value) pane.request.value = { ...pane.request.value, seed: value };
}

export const start = () => all.value.forEach(store.start);
export const cancel = () => all.value.forEach(store.cancel);
export const busy = computed(() => all.value.some((pane) => pane.status.value === 'busy'));

/** The overlays that some contestant has, and whether all that have one show it. */
export const overlays = computed(() => {
  const names = new Map<string, boolean>();
  for (const { scenes, shown } of store.panes.value) for (const name of scenes.value.keys()) names.set(name, (names.get(name) ?? true) && shown.value.has(name));
  return names;
});

export function overlay(name: string, show: boolean): void {
  for (const pane of store.panes.value) if (pane.shown.value.has(name) !== show) pane.toggle(name);
}


/** Those who were compared before come back when comparing goes on; two at least. Else only the first is on the stage. */
effect(() => {
  const mode = store.mode.value;
  if (store.tables.value === null) return;
  untracked(() => {
    if (mode === 'compare') enter();
    else if (mode !== 'share') leave();
  });
});

function enter(): void {
  if (usual.value === null) {
    usual.value = store.current.value.shown.value;
    store.current.value.shown.value = new Set();
  }
  for (const pane of away.value) if (pane.draft.value !== store.draft.value) pane.clear();
  const room = MOST - store.panes.value.length;
  store.panes.value = [...store.panes.value, ...away.value.slice(0, room)];
  others.value = [...others.value, ...away.value.slice(room)];
  away.value = [];
  const first = store.current.value.request.value;
  if (first.family !== 'group') store.current.value.request.value = { ...first, family: 'group', method: 'vector-field', options: {} };
  if (store.panes.value.length < LEAST) add();
}

function leave(): void {
  if (usual.value !== null) store.current.value.shown.value = usual.value;
  usual.value = null;
  if (all.value.length === 1) return;
  away.value = all.value.slice(1);
  for (const pane of away.value) if (pane.status.value === 'busy') store.cancel(pane);
  others.value = [];
  store.panes.value = [store.current.value];
  clock.redraw();
}
