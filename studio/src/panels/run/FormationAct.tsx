// The formation laboratory: drag units and watch the shape's error, optimise, compare ways to make one error of two.
import { dragger } from '../../act/dragger';
import * as fitness from '../../act/fitness';
import { legendOf } from '../../stage/scene';
import { sizeOf, titleOf } from '../../edit/marching';
import * as store from '../../store';
import { Legend } from '../Overlays';
import { Curves } from './Curves';
import { Hints, Numbers, useActing } from './parts';

export function FormationAct() {
  useActing({ hand: dragger, driver: fitness.driver, begin: fitness.begin, enter: fitness.enter });
  const measured = fitness.measured.value;
  const scene = fitness.pane.scenes.value.get('fitness');
  return (
    <>
      <Begin />
      {measured !== null && (
        <>
          <section aria-label="Shape">
            <label class="entry">
              <span>error of</span>
              <select value={fitness.how.value} onChange={(event) => fitness.combine(event.currentTarget.value)}>
                {fitness.WAYS.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <div class="row">
              <button onClick={fitness.randomise}>Randomise</button>
              <button onClick={fitness.optimise}>Optimise by one step</button>
              <button onClick={fitness.reset}>As drawn</button>
            </div>
            <label class="entry check">
              <input type="checkbox" checked={fitness.heat.value} onChange={() => fitness.setHeat(!fitness.heat.value)} />
              <span>map of the chosen unit’s places</span>
            </label>
            {scene !== undefined && <Legend items={legendOf(scene)} />}
            <p aria-live="polite" class="words">
              {fitness.words.value}
            </p>
          </section>
          <Analysis />
        </>
      )}
      <Hints
        rows={[
          ['drag', 'move a unit'],
          ['click', 'choose one: the map is coloured by what the error would be if it stood there'],
          ['N, Shift N', 'next unit, the one before'],
          ['W A S D', 'push the chosen unit'],
          ['Enter', 'put it at the cross'],
        ]}
      />
    </>
  );
}

function Begin() {
  const formations = store.draft.value.formations;
  const shapes = store.tables.value?.formations.shapes ?? [];
  const shape = fitness.shape.value;
  const set = (part: Partial<typeof shape>) => (fitness.shape.value = { ...shape, ...part });
  const busy = fitness.pane.status.value === 'busy';
  return (
    <section aria-label="Formation">
      {formations.length > 0 ? (
        <label class="entry">
          <span>formation</span>
          <select value={fitness.number.value} onChange={(event) => (fitness.number.value = Number(event.currentTarget.value))}>
            {formations.map((formation, k) => (
              <option key={k} value={k}>
                {k + 1}: {titleOf(formation)}, {sizeOf(formation)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <>
          <label class="entry">
            <span>shape</span>
            <select value={shape.shape} onChange={(event) => set({ shape: event.currentTarget.value })}>
              {shapes.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label class="entry">
            <span>units</span>
            <input type="number" min={1} max={400} step={1} value={shape.units} onChange={(event) => set({ units: Math.max(1, Math.round(Number(event.currentTarget.value) || 1)) })} />
          </label>
          <label class="entry">
            <span>spacing</span>
            <input type="number" min={0.5} step={0.5} value={shape.spacing} onChange={(event) => set({ spacing: Math.max(0.1, Number(event.currentTarget.value) || 1) })} />
          </label>
        </>
      )}
      <button class="main" title="F5" onClick={fitness.begin}>
        {busy ? 'Begin again' : 'Start'}
      </button>
      {!busy && fitness.pane.words.value !== '' && <p class={fitness.pane.status.value}>{fitness.pane.words.value}</p>}
    </section>
  );
}

function Analysis() {
  const progress = fitness.pane.progress.value;
  const working = progress !== null && progress.total > 0 && progress.done < progress.total && fitness.experiment.value === null;
  return (
    <section aria-label="Analysis">
      <h2>which error to optimise</h2>
      <div class="row">
        <button onClick={fitness.analyse} disabled={working}>
          Analyse
        </button>
        {working && <button onClick={fitness.enough}>Enough</button>}
      </div>
      {working && <progress aria-label="progress" max={progress.total} value={progress.done} />}
      {fitness.experiment.value !== null && <Curves found={fitness.experiment.value} />}
    </section>
  );
}

/** On the right: all measures of the shape, as it is now. */
export function FormationNumbers() {
  const measured = fitness.measured.value;
  if (measured === null) return null;
  const unit = store.unit.value;
  // What is left of a perfect shape is rounding.
  const number = (name: string) => (measured.measures[name] < 1e-9 ? 0 : measured.measures[name]);
  return (
    <section aria-label="Fitness">
      <h2>error of the shape</h2>
      <Numbers
        label="Fitness"
        rows={[
          ['angles, degrees²', number('angle')],
          ['distances, cells²', number('distance')],
          ...fitness.WAYS.slice(2).map((name): [string, number] => [name, number(name)]),
        ]}
      />
      {unit >= 0 && <p class="quiet">unit {unit}{unit === measured.leader && ', the leader'}</p>}
    </section>
  );
}
