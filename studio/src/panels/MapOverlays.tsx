// Choose pictures of the map: each is made when it is ticked, and again when the map changes.
import { useState } from 'preact/hooks';
import * as overlays from '../overlays';
import type { Pane } from '../pane';
import { legendOf } from '../stage/scene';
import * as store from '../store';
import { defaults } from '../tables';
import { Form } from './Form';
import { Legend } from './Overlays';

export function MapOverlays({ pane }: { pane: Pane }) {
  const rows = store.tables.value?.overlays ?? [];
  const wanted = overlays.wanted.value;
  const [unfolded, unfold] = useState(false); // it stays when the last tick in it goes
  return (
    <details open={unfolded || Object.keys(wanted).length > 0} onToggle={(event) => unfold(event.currentTarget.open)}>
      <summary>pictures of the map</summary>
      {rows.map((row) => {
        const values = wanted[row.name];
        const scene = pane.scenes.value.get(row.name);
        return (
          <div key={row.name}>
            <label class="entry check">
              <input type="checkbox" checked={values !== undefined} onChange={() => overlays.toggle(pane, row)} />
              <span>{row.title}</span>
            </label>
            {values !== undefined && row.parameters.length > 0 && (
              <Form fields={row.parameters} values={{ ...defaults(row.parameters), ...values }} change={(next) => overlays.set(pane, row, next)} />
            )}
            {overlays.faults.value[row.name] && <p class="failed">{overlays.faults.value[row.name]}</p>}
            {values !== undefined && scene !== undefined && <Legend items={legendOf(scene)} />}
          </div>
        );
      })}
    </details>
  );
}
