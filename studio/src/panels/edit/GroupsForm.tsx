// Groups of units: which of them gets units and a target, and what its units are like.
import { type Draft, type Group, withGroup, withScenario } from '../../draft';
import { movedOut } from '../../edit/settle';
import { chosen, colourOf, count, newGroup, overlapping, prices, strays } from '../../edit/state';
import { css } from '../../stage/palette';
import * as store from '../../store';
import { Icon } from '../Icon';
import { NumberEntry } from './NumberEntry';

export function GroupsForm({ counted }: { counted: boolean }) {
  const draft = store.draft.value;
  const { groups } = draft.scenario;
  const number = Math.min(chosen.value, groups.length - 1);
  const group = groups[number];
  return (
    <section aria-label="Groups">
      {counted && <Count />}
      <h2>groups</h2>
      <ul class="rows">
        {groups.map((one, k) => (
          <Row key={k} group={one} number={k} chosen={k === number} />
        ))}
      </ul>
      <button onClick={() => addGroup(draft)}>Add a group</button>
      <Strays />
      {group !== undefined && <GroupForm key={number} draft={draft} number={number} group={group} />}
    </section>
  );
}

function addGroup(draft: Draft): void {
  chosen.value = draft.scenario.groups.length;
  store.edit(withScenario(draft, { groups: [...draft.scenario.groups, newGroup(draft)] }));
}

function removeGroup(draft: Draft, number: number): void {
  store.edit(withScenario(draft, { groups: draft.scenario.groups.filter((_, k) => k !== number) }));
  if (chosen.value >= number) chosen.value = Math.max(0, chosen.value - 1);
}

function Row({ group, number, chosen: is }: { group: Group; number: number; chosen: boolean }) {
  const name = group.name || `group ${number + 1}`;
  return (
    <li>
      <button class="pick" aria-pressed={is} onClick={() => (chosen.value = number)}>
        <span class="swatch dot" style={{ background: css(colourOf(number)) }} />
        <span class="name">{name}</span>
        <span class="much">{group.positions.length}</span>
      </button>
      <button aria-label={`remove ${name}`} title="remove" onClick={() => removeGroup(store.draft.value, number)}>
        <Icon name="close" />
      </button>
    </li>
  );
}

function Count() {
  const [low, high] = [1, 100_000];
  return (
    <>
      <NumberEntry
        name="number"
        value={count.value}
        low={low}
        high={high}
        change={(value) => (count.value = value)}
        help="how many units are put into an area"
        empty={{ words: 'as many as fit', change: () => (count.value = null) }}
      />
      <div class="choice" role="group" aria-label="Number of units">
        {[null, 10, 36, 100, 600].map((value) => (
          <button key={value} aria-pressed={count.value === value} onClick={() => (count.value = value)}>
            {value ?? 'all'}
          </button>
        ))}
      </div>
      <label class="entry check" title="units may stand one above another; never in walls">
        <input type="checkbox" checked={overlapping.value} onChange={(event) => (overlapping.value = event.currentTarget.checked)} />
        <span>overlapping</span>
      </label>
    </>
  );
}

/** Units in walls, and how to get them out. */
function Strays() {
  const bad = strays.value.reduce((sum, units) => sum + units.length, 0);
  if (bad === 0) return null;
  return (
    <p class="failed">
      {bad === 1 ? 'One unit stands' : `${bad} units stand`} in a wall or outside the map.{' '}
      <button onClick={() => store.edit(movedOut(store.draft.value, store.cells.value, prices))}>Move out</button>
    </p>
  );
}

function GroupForm({ draft, number, group }: { draft: Draft; number: number; group: Group }) {
  const set = (part: Partial<Group>) => store.edit(withGroup(draft, number, part));
  const { width, height } = store.cells.value;
  const movements = store.tables.value?.movements ?? ['land'];
  const aim = (part: Partial<Group['target']>) => set({ target: { ...group.target, ...part } });
  return (
    <>
      <label class="entry">
        <span>name</span>
        <input type="text" maxLength={60} value={group.name} onChange={(event) => set({ name: event.currentTarget.value })} />
      </label>
      <NumberEntry name="radius" help="of each unit, in cells" value={group.radius} low={0.05} high={16} step="any" change={(radius) => set({ radius })} />
      <NumberEntry name="speed" help="greatest speed, in cells a step" value={group.speed} low={0.001} high={0.5} step="any" change={(speed) => set({ speed })} />
      <Movement movements={movements} value={group.movement} change={(movement) => set({ movement })} />
      <NumberEntry name="target x" value={group.target.x} low={0} high={width - 0.01} step="any" change={(x) => aim({ x })} />
      <NumberEntry name="target y" value={group.target.y} low={0} high={height - 0.01} step="any" change={(y) => aim({ y })} />
      <NumberEntry name="target radius" value={group.target.radius} low={0.1} high={Math.max(width, height)} step="any" change={(radius) => aim({ radius })} />
      <button disabled={group.positions.length === 0} onClick={() => set({ positions: [] })}>
        Remove its units
      </button>
    </>
  );
}

/** A movement class: one of those that are known, or prices. */
export function Movement({ movements, value, change }: { movements: string[]; value: string | undefined; change: (value: string | undefined) => void }) {
  return (
    <label class="entry" title="where units can go, and at what price: a class, or prices such as G.:1 f:2.5">
      <span>moves as</span>
      <input type="text" list="movements" value={value ?? ''} placeholder="like the map" onChange={(event) => change(event.currentTarget.value.trim() || undefined)} />
      <datalist id="movements">
        {movements.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

