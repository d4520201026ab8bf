// What the colours of the units mean, and the choice of them.
import type { Pane } from '../../pane';
import type { Run } from '../../run';
import { GROUPS, ramp, STATES, type Colour } from '../../stage/palette';
import { COLOURINGS, type Colouring } from '../../stage/stage';
import * as store from '../../view';
import { Legend } from '../Overlays';
import type { LegendItem } from '../../stage/scene';

const dot = (label: string, colour: Colour): LegendItem => ({ label, shape: 'dot', colour });
const blend = Array.from({ length: 16 }, (_, k) => ramp(k / 15));

/** The legend of a run's units in a colouring. */
function unitsLegend(run: Run, colouring: Colouring): LegendItem[] {
  if (colouring === 'state') return STATES.map((state) => dot(state.name, state.colour));
  if (colouring === 'speed') {
    return [{ label: 'cells a step:', shape: 'ramp', colours: blend, low: '0', high: run.fastest.toPrecision(2) }];
  }
  if (colouring === 'delay') return [{ label: 'arrives', shape: 'ramp', colours: blend, low: 'first', high: 'last, or never' }];
  if (colouring === 'route') {
    const routes = [...new Set(run.route)].sort((a, b) => a - b);
    if (routes.length > 8) return [dot(`${routes.length} routes; eight colours by turns`, GROUPS[0])];
    return routes.map((route) => dot(route === 65535 ? 'no route' : `route ${route}`, GROUPS[route % 8]));
  }
  if (run.groups.length > 8) return [dot(`${run.groups.length} groups; eight colours by turns`, GROUPS[0])];
  return run.groups.map((group) => dot(run.head.groups[group] || `group ${group}`, GROUPS[group % 8]));
}

export function Colours({ pane }: { pane: Pane }) {
  const run = pane.run.value;
  const colouring = store.colouring.value;
  void pane.come.value;
  return (
    <section aria-label="Colours">
      <label class="entry">
        <span>colour by</span>
        <select value={colouring} onChange={(event) => (store.colouring.value = event.currentTarget.value as Colouring)}>
          {COLOURINGS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {run !== null && <Legend items={unitsLegend(run, colouring)} />}
    </section>
  );
}
