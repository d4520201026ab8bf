// On the right while something runs: numbers that change, the chosen unit, and why it is where it is.
import type { Pane } from '../../pane';
import * as store from '../../store';
import type { Value } from '../../tables';
import { FormationNumbers } from './FormationAct';
import { Numbers } from './parts';
import { GameUnitFacts } from './Turns';
import { Why } from './Why';

const COUNTERS: [string, string][] = [
  ['under_way', 'under way'],
  ['arrived', 'arrived'],
  ['removed', 'removed'],
  ['lost', 'lost'],
  ['stuck', 'stuck'],
  ['unit_collisions', 'collisions of units so far'],
  ['wall_collisions', 'collisions with walls so far'],
  ['replans', 'new plans so far'],
  ['rate', 'steps a second'],
];

export function Inspector({ pane }: { pane: Pane }) {
  const act = store.act.value;
  if (act === 'turns') return <GameUnitFacts />;
  if (act === 'formation') return <FormationNumbers />;
  const counters = pane.counters.value;
  const rows = COUNTERS.filter(([key]) => key in counters).map(([key, name]): [string, Value] => [name, counters[key]]);
  return (
    <>
      {act === 'live' && rows.length > 0 && (
        <section aria-label="Counters">
          <h2>now</h2>
          <Numbers label="Counters" rows={rows} />
        </section>
      )}
      <Why pane={pane} />
    </>
  );
}
