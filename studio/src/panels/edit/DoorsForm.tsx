// Doors: cells that become something else at a step.
import { withScenario, type Change } from '../../draft';
import { door } from '../../edit/state';
import { nameOf } from '../../edit/terrain';
import * as store from '../../store';
import { Icon } from '../Icon';
import { NumberEntry } from './NumberEntry';

function Becomes({ value, change }: { value: string; change: (letter: string) => void }) {
  const terrain = store.tables.value?.terrain ?? [];
  const name = (letter: string) => (letter === '@' ? 'closed (wall)' : letter === '.' ? 'open (ground)' : nameOf(store.tables.value, letter.charCodeAt(0)));
  const letters = ['@', '.', ...terrain.map((row) => row.letter).filter((letter) => !'@.'.includes(letter))];
  if (!letters.includes(value)) letters.push(value);
  return (
    <label class="entry">
      <span>becomes</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {letters.map((letter) => (
          <option key={letter} value={letter}>
            {name(letter)}
          </option>
        ))}
      </select>
    </label>
  );
}

export function DoorsForm() {
  const { changes } = store.draft.value.scenario;
  const put = (next: Change[]) => store.edit(withScenario(store.draft.value, { changes: next.sort((a, b) => a.step - b.step) }));
  const set = (number: number, part: Partial<Change>) => put(changes.map((change, k) => (k === number ? { ...change, ...part } : change)));
  return (
    <section aria-label="Doors">
      <h2>the next door</h2>
      <NumberEntry name="at step" value={door.value.step} low={0} high={10_000_000} change={(step) => (door.value = { ...door.value, step })} />
      <Becomes value={door.value.terrain} change={(terrain) => (door.value = { ...door.value, terrain })} />
      {changes.length > 0 && <h2>doors</h2>}
      {changes.map((change, k) => (
        <details key={k} class="item">
          <summary>
            step {change.step}: {placeOf(change)} {change.terrain === '@' ? 'close' : change.terrain === '.' ? 'open' : 'change'}
          </summary>
          <NumberEntry name="at step" value={change.step} low={0} high={10_000_000} change={(step) => set(k, { step })} />
          <Becomes value={change.terrain} change={(terrain) => set(k, { terrain })} />
          <button onClick={() => put(changes.filter((_, other) => other !== k))}>
            <Icon name="close" /> Remove
          </button>
        </details>
      ))}
    </section>
  );
}

function placeOf({ rectangle, cells }: Change): string {
  if (rectangle) return `${rectangle.width} × ${rectangle.height} cells at x=${rectangle.x}, y=${rectangle.y}`;
  return `${cells?.length ?? 0} cells`;
}
