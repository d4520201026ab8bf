// Look at a run that was computed: colours, what is drawn at the units, and why one of them is where it is.
import { SWITCHES, switches, toggle, type Switch } from '../../act/show';
import { looker } from '../../act/looking';
import * as store from '../../store';
import { Overlays } from '../Overlays';
import { RunButton } from '../PlanPanel';
import { Colours } from './Legend';
import { Hints, useActing } from './parts';

const TITLES: Record<Switch, string> = {
  numbers: 'unit numbers',
  goals: 'lines to goals',
  headings: 'headings',
  trail: 'trail of the chosen unit',
  grid: 'lines between cells',
  ground: 'the map itself',
};

export function Playback() {
  const pane = store.current.value;
  useActing({ hand: looker });
  return (
    <>
      {pane.run.value === null && <p class="quiet">Nothing has been planned yet: run a method here or in Plan, or open a trace.</p>}
      <RunButton pane={pane} />
      <Colours pane={pane} />
      <Switches />
      <Overlays pane={pane} />
      <Hints
        rows={[
          ['click', 'choose a unit'],
          ['N, Shift N', 'next unit, the one before'],
          ['I', 'why is it there'],
          ['right click, O', 'in a march: send the formation there from now on; with Shift by way of it'],
          ['drag, arrows', 'move the map'],
        ]}
      />
    </>
  );
}

export function Switches() {
  return (
    <section aria-label="Drawn">
      {SWITCHES.map((name) => (
        <label key={name} class="entry check">
          <input type="checkbox" checked={switches.value.has(name)} onChange={() => toggle(name)} />
          <span>{TITLES[name]}</span>
        </label>
      ))}
    </section>
  );
}
