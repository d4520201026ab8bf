// What a stage shows, in a corner of it: the method, and how many have arrived.
import * as clock from '../clock';
import type { Pane } from '../pane';
import { css, type Colour } from '../stage/palette';

/** What a pane shows is called so. */
export const titleOf = ({ run, request }: Pane) => run.value?.head.method ?? run.value?.head.title ?? request.value.method;

export function Caption({ pane, colour }: { pane: Pane; colour?: Colour }) {
  const run = pane.run.value;
  void pane.come.value;
  const step = Math.round(clock.time.value);
  const last = run === null ? -1 : lastArrival(run.arrival);
  return (
    <p class="caption" style={colour && { borderLeft: `4px solid ${css(colour)}` }}>
      <strong>{titleOf(pane)}</strong>
      {run !== null && !run.live && (
        <>
          <span>
            {run.arrivedBy(step)} of {run.units} arrived
          </span>
          {last >= 0 && <span class="quiet">last at step {last}</span>}
        </>
      )}
      {run === null && pane.status.value !== 'idle' && <span class={pane.words.value === '' ? pane.status.value : 'quiet'}>{pane.progress.value?.text ?? pane.status.value}</span>}
    </p>
  );
}

/** The step of the last arrival so far, -1 if nobody arrives. */
const lastArrival = (arrival: Int32Array) => arrival.reduce((most, step) => Math.max(most, step), -1);
