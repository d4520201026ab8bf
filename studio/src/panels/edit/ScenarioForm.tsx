// What a scenario says besides its map and groups: name, note, seed, limits, steering.
import { withScenario, type Scenario } from '../../draft';
import * as store from '../../store';
import { changed, defaults, type Field, type Value } from '../../tables';
import { Form } from '../Form';
import { Movement } from './GroupsForm';
import { NumberEntry } from './NumberEntry';

export function ScenarioForm() {
  const tables = store.tables.value;
  const { scenario } = store.draft.value;
  const set = (part: Partial<Scenario>) => store.edit(withScenario(store.draft.value, part));
  return (
    <>
      <label class="entry">
        <span>name</span>
        <input type="text" maxLength={120} value={scenario.name} onChange={(event) => set({ name: event.currentTarget.value })} />
      </label>
      <label class="entry">
        <span>note</span>
        <textarea rows={3} value={scenario.note} onChange={(event) => set({ note: event.currentTarget.value })} />
      </label>
      <NumberEntry name="seed" value={scenario.seed} low={0} high={Number.MAX_SAFE_INTEGER} change={(seed) => set({ seed })} />
      <Movement movements={tables?.movements ?? []} value={scenario.map.movement} change={(movement) => set({ map: { ...scenario.map, movement } })} />
      <Numbers title="limits" fields={tables?.limits ?? []} values={scenario.limits} change={(limits) => set({ limits: limits as Scenario['limits'] })} />
      <Numbers title="steering" fields={tables?.steering ?? []} values={scenario.steering} change={(steering) => set({ steering: steering as Scenario['steering'] })} />
    </>
  );
}

function Numbers({ title, fields, values, change }: { title: string; fields: Field[]; values: Record<string, Value>; change: (values: Record<string, Value>) => void }) {
  if (fields.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <Form fields={fields} values={{ ...defaults(fields), ...values }} change={(all) => change(changed(fields, all))} />
    </details>
  );
}
