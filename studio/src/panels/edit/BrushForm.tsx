// What the brush paints, and how large it is.
import { brush } from '../../edit/state';
import type { Brush, Operation } from '../../edit/paint';
import { css, terrainTable } from '../../stage/palette';
import * as store from '../../store';
import type { Terrain } from '../../tables';
import { NumberEntry } from './NumberEntry';

const COMMON = '@.GSWTd,t=+~fhji^*';

/** Kinds of terrain in the order in which people want them; prices and walls have switches of their own. */
function painted(terrain: Terrain[]): Terrain[] {
  const rank = ({ letter }: Terrain) => (COMMON.includes(letter) ? COMMON.indexOf(letter) : 99);
  return terrain.filter(({ letter }) => !'123456789'.includes(letter)).sort((a, b) => rank(a) - rank(b));
}

const set = (part: Partial<Brush>) => (brush.value = { ...brush.value, ...part });

const WHAT: [Brush['what'], string][] = [
  ['wall', 'wall'],
  ['terrain', 'terrain'],
  ['cost', 'cost'],
];

export function BrushForm({ sized }: { sized: boolean }) {
  const { what, shape, size } = brush.value;
  return (
    <section aria-label="Brush">
      <div class="choice" role="group" aria-label="What is painted">
        {WHAT.map(([name, title]) => (
          <button key={name} aria-pressed={what === name} onClick={() => set({ what: name })}>
            {title}
          </button>
        ))}
      </div>
      {what === 'terrain' && <Letters />}
      {what === 'cost' && <Cost />}
      {sized && (
        <>
          <div class="entry">
            <label for="brush-size">size</label>
            <input type="range" aria-label="size of the brush" min={1} max={24} value={size} onInput={(event) => set({ size: Number(event.currentTarget.value) })} />
            <input
              id="brush-size"
              type="number"
              min={1}
              max={64}
              value={size}
              onChange={(event) => set({ size: Math.min(Math.max(Math.round(Number(event.currentTarget.value)) || 1, 1), 64) })}
            />
          </div>
          <div class="entry">
            <span>shape</span>
            <div class="choice" role="group" aria-label="Shape of the brush">
              {(['round', 'square'] as const).map((name) => (
                <button key={name} aria-pressed={shape === name} onClick={() => set({ shape: name })}>
                  {name}
                </button>
              ))}
            </div>
          </div>
        </>
      )}
    </section>
  );
}

/** Swatches of all kinds of terrain. */
function Letters() {
  const tables = store.tables.value;
  const colours = terrainTable(store.theme.value);
  const chosen = brush.value.letter;
  const all = painted(tables?.terrain ?? [{ letter: '.', name: 'ground' }, { letter: '@', name: 'wall' }]);
  const name = all.find((row) => row.letter === chosen)?.name ?? '';
  return (
    <>
      <div class="swatches" role="group" aria-label="Terrain">
        {all.map(({ letter, name }) => (
          <button
            key={letter}
            aria-label={name}
            title={`${name} (${letter})`}
            aria-pressed={letter === chosen}
            onClick={() => set({ letter })}
            style={{ background: css([...colours.slice(4 * letter.charCodeAt(0), 4 * letter.charCodeAt(0) + 4)]) }}
          />
        ))}
      </div>
      <p class="hint">{name}</p>
    </>
  );
}

const AMOUNTS: Record<Operation, { low: number; high: number; step: number | 'any'; first: number }> = {
  set: { low: 1, high: 9, step: 1, first: 3 },
  add: { low: -8, high: 8, step: 1, first: 1 },
  multiply: { low: 0.1, high: 9, step: 'any', first: 2 },
};

function Cost() {
  const { operation, amount } = brush.value;
  const { low, high, step } = AMOUNTS[operation];
  return (
    <>
      <label class="entry">
        <span>operation</span>
        <select
          value={operation}
          onChange={(event) => {
            const next = event.currentTarget.value as Operation;
            set({ operation: next, amount: AMOUNTS[next].first });
          }}
        >
          <option value="set">set to</option>
          <option value="add">add</option>
          <option value="multiply">multiply by</option>
        </select>
      </label>
      <NumberEntry name={operation === 'multiply' ? 'factor' : 'price'} value={amount} low={low} high={high} step={step} change={(amount) => set({ amount })} />
      <p class="hint">Prices of a step are from 1 to 9. Walls and water keep what they are.</p>
    </>
  );
}
