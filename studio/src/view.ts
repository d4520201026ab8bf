// What is shown and how: the draft, panes with their results, camera and colours. The player has only this; the page of
// the studio has a server, too (`store.ts`).
import { computed, effect, signal, untracked } from '@preact/signals';
import * as clock from './clock';
import { cellsOf, firstDraft, type Cells, type Draft } from './draft';
import { begin } from './history';
import { Pane } from './pane';
import type { Search } from './search';
import { fresh, shownSteps } from './searching';
import { fit, type Camera, type Size } from './stage/camera';
import type { Theme } from './stage/palette';
import type { Colouring } from './stage/stage';
import type { Message } from './wire';

export type Mode = 'edit' | 'plan' | 'run' | 'compare' | 'share';
export const MODES: Mode[] = ['edit', 'plan', 'run', 'compare', 'share'];
/** What can be done in the mode "run": play what was planned, or act in a world that answers. */
export type Act = 'playback' | 'live' | 'turns' | 'formation';
export const ACTS: Act[] = ['playback', 'live', 'turns', 'formation'];

export const history = signal(begin<Draft>(firstDraft()));
export const draft = computed(() => history.value.now);
export const cells = computed(() => cellsOf(draft.value.scenario.map.text));
/** The map as a stroke under way leaves it; null while nobody paints. */
export const working = signal<Cells | null>(null);
/** The map as it is shown. */
export const shownCells = computed(() => working.value ?? cells.value);
/** What stands on a map that was made or opened, such as starts of players, drawn as a scene; and of which map. */
export const sites = signal<{ text: string; scene: Message } | null>(null);
/** The sites of the draft's map. They go when it is changed, and come back when that is undone. */
export const shownSites = computed(() => (sites.value?.text === draft.value.scenario.map.text ? sites.value.scene : null));
export const mode = signal<Mode>('edit');
export const panes = signal<Pane[]>([new Pane()]);
/** What the mode "run" shows. */
export const act = signal<Act>('playback');
/** Panes of what is acted, each with results of its own. */
export const actors: Record<Act, Pane | null> = { playback: null, live: new Pane(), turns: new Pane(), formation: new Pane() };
/** The panes that are to be seen. */
export const onStage = computed(() => {
  const actor = mode.value === 'run' ? actors[act.value] : null;
  return actor === null ? panes.value : [actor];
});
/** The pane that the panels are about. */
export const current = computed(() => onStage.value[0]);
/** One camera for all panes; null: show the whole map. */
export const camera = signal<Camera | null>(null);
export const theme = signal<Theme>(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
export const colouring = signal<Colouring>('group');
/** The unit that was clicked, -1: none. */
export const unit = signal(-1);

/** The map that a pane shows. */
export const mapOf = (pane: Pane) => (mode.value !== 'edit' && pane.cells.value) || shownCells.value;

/** The draft that a pane shows: that of what it plays. */
export const draftOf = (pane: Pane) => (mode.value !== 'edit' && (pane.run.value ?? pane.search.value) !== null && pane.draft.value) || draft.value;

/** Whether the draft was changed since a pane's results were computed. */
export const outdated = (pane: Pane) => pane.draft.value !== null && pane.draft.value !== draft.value;

const CAPTION = 38; // pixels from the top of a stage to below its caption

/** The camera that shows the whole map in a view, below a caption if there is one. */
export const wholeMap = (pane: Pane, view: Size, captioned = false) => fit(mapOf(pane), view, captioned ? CAPTION : 0);

let known: (Search | null)[] = [];

// The steps that are shown were those of the search before.
effect(() => {
  const now = panes.value.map((pane) => pane.search.value);
  if (now.some((search) => search !== null && !known.includes(search))) untracked(fresh);
  known = now;
});

/** How many steps the searches have, of which none found a way to be played: the clock counts these. Else 0. */
const searched = computed(() => {
  if (clock.driver.value !== null || panes.value.some((pane) => pane.run.value !== null || pane.status.value === 'busy')) return 0;
  return Math.max(0, ...panes.value.map((pane) => pane.search.value?.steps ?? 0));
});

// How far the clock may go: as far as all runs have come.
effect(() => {
  if (clock.driver.value !== null) return;
  const runs = panes.value.map((pane) => (pane.come.value, pane.run.value)).filter((run) => run !== null);
  clock.end.value = Math.max(0, ...runs.map((run) => run.end));
  clock.final.value = Math.max(0, ...runs.map((run) => (run.live ? 0 : run.steps)));
  if (runs.length === 0) clock.end.value = clock.final.value = searched.value;
  if (clock.time.peek() > clock.final.value && clock.final.value > 0) clock.time.value = clock.final.value;
});

// Then the clock and the steps of the search that are shown go together.
effect(() => {
  if (searched.value > 0) clock.time.value = Math.min(shownSteps.value, searched.value);
});
effect(() => {
  const step = clock.time.value;
  if (searched.peek() > 0) shownSteps.value = step;
});
