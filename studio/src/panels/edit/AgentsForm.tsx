// Agents with a start and a goal each.
import { signal } from '@preact/signals';
import { agentsOf, randomAgents } from '../../edit/agents';
import { prices, said } from '../../edit/state';
import * as store from '../../store';
import { NumberEntry } from './NumberEntry';

const wanted = signal({ count: 20, seed: 0 });

export function AgentsForm() {
  const draft = store.draft.value;
  const { count, seed } = wanted.value;
  const units = draft.scenario.groups.reduce((sum, group) => sum + group.positions.length, 0);
  const random = (seed: number) => {
    wanted.value = { count, seed };
    const agents = randomAgents(store.cells.value, prices(), count, seed);
    store.edit({ ...draft, agents });
    said.value = agents.length < count ? `There is room for ${agents.length.toLocaleString('en')} agents, of ${count.toLocaleString('en')}.` : '';
  };
  return (
    <section aria-label="Agents">
      <p class="hint">
        {draft.agents.length === 0 ? 'No agents yet: the units of the groups are taken as such.' : `${draft.agents.length} agents, each from a disc to a square.`}
      </p>
      <NumberEntry name="number" value={count} low={1} high={5000} change={(count) => (wanted.value = { count, seed })} />
      <NumberEntry name="seed" value={seed} low={0} change={(seed) => (wanted.value = { count, seed })} />
      <div class="buttons">
        <button onClick={() => random(seed)}>Place by chance</button>
        <button onClick={() => random(seed + 1)}>Next seed</button>
        <button disabled={units === 0} onClick={() => store.edit({ ...draft, agents: agentsOf(draft.scenario.groups, store.cells.value, prices()) })}>
          From groups
        </button>
        <button disabled={draft.agents.length === 0} onClick={() => store.edit({ ...draft, agents: [] })}>
          Remove all
        </button>
      </div>
    </section>
  );
}
