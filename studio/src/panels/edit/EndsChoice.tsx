// Under Plan: whether a click sets the ends of the unit, or looks at what the search knows of a place.
import { useEffect } from 'preact/hooks';
import { SINGLE } from '../../edit/ends';
import { hold, planning, setting } from '../../edit/toolbox';
import { said } from '../../edit/state';
import * as store from '../../store';

export function EndsChoice() {
  useEffect(() => hold(planning), []);
  const { family } = store.current.value.request.value;
  if (!SINGLE.includes(family)) return null;
  return (
    <section aria-label="What a click does">
      <div class="two" role="group" aria-label="What a click does">
        <button aria-pressed={setting.value} title="J; with Shift, a click looks" onClick={() => (setting.value = true)}>
          click: start, goal
        </button>
        <button aria-pressed={!setting.value} title="V" onClick={() => (setting.value = false)}>
          click: look
        </button>
      </div>
      <p class="quiet" aria-live="polite">
        {said.value}
      </p>
      {family === 'drive' && setting.value && <p class="quiet">Drag from a place to say where the car faces there.</p>}
    </section>
  );
}
