// What a pane shows, put on a stage: map, units, overlays, colours, marks.
import { switches } from '../act/show';
import { marksOf } from '../marks';
import type { Pane } from '../pane';
import { shownSteps } from '../searching';
import type { Stage } from '../stage/stage';
import * as store from '../view';

/** The families of methods that move a scenario's groups. */
const GROUPED = ['group', 'formation'];

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
    const overlays = new Map(scenes.filter(([name]) => shown.has(name)));
    const sites = store.shownSites.value;
    if (sites !== null && (store.mode.value === 'edit' || pane.cells.value === null)) overlays.set('sites', sites);
    stage.setOverlays(overlays);
  });
  watch(() => stage.setSearch(pane.shown.value.has('search') && store.mode.value !== 'edit' ? pane.search.value : null, shownSteps.value));
  watch(() => void (stage.colouring = store.colouring.value));
}
