// The inspector: which unit is chosen, and why it is where it is.
import { answer, answers, ask, asking, forget } from '../../act/why';
import * as clock from '../../clock';
import type { Pane } from '../../pane';
import { ARRIVED } from '../../run';
import { STATES } from '../../stage/palette';
import * as store from '../../store';
import { Numbers } from './parts';

export function Why({ pane }: { pane: Pane }) {
  const run = pane.run.value;
  const unit = store.unit.value;
  void [pane.come.value, Math.round(clock.time.value)];
  if (run === null) return null;
  const chosen = unit >= 0 && unit < run.units;
  const found = answer.value?.pane === pane ? answer.value : null;
  const { positions, state, speed } = run.moment;
  return (
    <section aria-label="The chosen unit">
      <h2>{chosen ? `unit ${unit}` : 'a unit'}</h2>
      {!chosen && found === null && <p class="quiet">Click a unit to see where it is{answers(pane) && ' and why'}.</p>}
      {chosen && (
        <>
          <Numbers
            label="unit"
            rows={[
              ['group', run.head.groups[run.group[unit]] || `${run.group[unit]}`],
              ['state', STATES[state[unit]]?.name ?? ''],
              ['place', `${positions[2 * unit].toFixed(2)}, ${positions[2 * unit + 1].toFixed(2)}`],
              ['speed', state[unit] < ARRIVED ? Number(speed[unit].toPrecision(3)) : 0],
              ['arrives', run.arrival[unit] >= 0 ? run.arrival[unit] : null],
            ]}
          />
          {answers(pane) ? (
            <button onClick={ask} title="I" disabled={asking.value !== null}>
              Why is it there?
            </button>
          ) : (
            <p class="quiet">Why it is there can only be told of groups that were run here.</p>
          )}
        </>
      )}
      {asking.value !== null && <p class="quiet">Going back to that step …</p>}
      {found !== null && (
        <div class="why" role="status">
          <p class="quiet">
            unit {found.unit} at step {found.step}{' '}
            <button class="small" aria-label="close the answer" onClick={forget}>
              ×
            </button>
          </p>
          <ul>
            {found.sentences.map((sentence, k) => (
              <li key={k}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
