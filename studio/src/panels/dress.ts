// What a pane shows, put on a stage: map, units, overlays, colours, marks.
import { numbered, switches } from '../act/show';
import { marksOf } from '../marks';
import type { Pane } from '../pane';
import { shownSteps } from '../searching';
import type { Stage } from '../stage/stage';
import * as store from '../view';

/** The families of methods that move a scenario's groups. */
const GROUPED = ['group', 'formation'];

/** The search whose steps are seen. */
const searchOf = (pane: Pane) => (pane.shown.value.has('search') && store.mode.value !== 'edit' ? pane.search.value : null);

/** `watch` is given one change after the other; it makes each at once, and may make it again when what it reads changes. */
export function dress(stage: Stage, pane: Pane, watch: (change: () => void) => void): void {
  stage.marks = marksOf(pane);
  watch(() => stage.setTheme(store.theme.value));
  watch(() => {
    const run = store.mode.value === 'edit' ? null : pane.run.value;
    stage.setRun(run);
    if (run === null) {
      const wanted = store.mode.value === 'edit' || (GROUPED.includes(pane.request.value.family) && pane.marks === null && pane.apart.value === '');
      const groups = wanted ? store.draft.value.scenario.groups : [];
      stage.setStanding(
        groups.flatMap((group, number) => group.positions.map(([x, y]) => ({ x, y, radius: group.radius, group: number }))),
      );
    }
  });
  watch(() => stage.showMap(store.mode.value === 'edit' || switches.value.has('ground')));
  watch(() => stage.setMap(store.mapOf(pane)));
  watch(() => {
    const shown = pane.shown.value;
    const scenes = store.mode.value === 'edit' ? [] : [...pane.scenes.value];
    const search = searchOf(pane);
    const early = search !== null && shownSteps.value < search.steps; // the path is not known yet
    const overlays = new Map(scenes.filter(([name]) => shown.has(name) && !(early && name === 'path')));
    const sites = store.shownSites.value;
    if (sites !== null && (store.mode.value === 'edit' || pane.cells.value === null)) overlays.set('sites', sites);
    stage.setOverlays(overlays);
  });
  watch(() => {
    void store.theme.value;
    stage.setSearch(searchOf(pane), shownSteps.value);
  });
  watch(() => void (stage.colouring = store.colouring.value));
  watch(() => stage.showHeadings(!numbered(pane)));
}
