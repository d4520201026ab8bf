// Orders to a formation while its march is played. A march is a function of its orders, so one more at the present time
// leaves all before it as it was: the march is asked for again, and goes on from the same step.
import * as clock from '../clock';
import type { Place } from '../draft';
import { sent } from '../edit/marching';
import type { Pane } from '../pane';
import * as store from '../store';

/** Whether a pane plays a march of the draft's formations. */
export const marches = (pane: Pane) => pane.kind === 'formation' && pane.run.value !== null && store.draft.value.formations.length > 0;

/** Send the formation of the chosen unit, or else the first, to a place from the present step on. */
export function send(pane: Pane, place: Place, more: boolean): void {
  const run = pane.run.value!;
  const step = Math.round(clock.time.value);
  const number = store.unit.value >= 0 ? run.group[store.unit.value] : 0;
  const time = Number((step * (run.head.tick ?? 1)).toFixed(6));
  const there: Place = [Number(place[0].toFixed(2)), Number(place[1].toFixed(2))];
  const formations = store.draft.value.formations.map((one, k) => (k === number ? sent(one, there, time, more) : one));
  store.edit({ ...store.draft.value, formations });
  store.start(pane);
  store.reach(step);
}
