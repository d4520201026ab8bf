// A map from a generator, with a slider for each of its parameters; the map follows them.
import { generate, state, wish, wishFor } from '../../edit/generating';
import * as store from '../../store';
import { changed, defaults, type Generator } from '../../tables';
import { legendOf } from '../../stage/scene';
import { Form } from '../Form';
import { Legend } from '../Overlays';
import { NumberEntry } from './NumberEntry';

const FAMILIES: Record<string, string> = { world: 'worlds', structured: 'buildings, mazes, caves', heights: 'land by heights' };

export function GenerateForm() {
  const generators = store.tables.value?.generators ?? [];
  const { generator, width, height, seed, parameters } = wish.value;
  const chosen = generators.find((row) => row.name === generator);
  const families = [...new Set(generators.map((row) => row.family))];
  const choose = (row: Generator | undefined) => {
    if (row === undefined) return;
    wishFor({ generator: row.name, parameters: {}, width: Math.max(width, row.least), height: Math.max(height, row.least) });
  };
  return (
    <>
      <label class="entry">
        <span>kind</span>
        <select value={generator} onChange={(event) => choose(generators.find((row) => row.name === event.currentTarget.value))}>
          {generator === '' && <option value="">choose one</option>}
          {families.map((family) => (
            <optgroup key={family} label={FAMILIES[family] ?? family}>
              {generators
                .filter((row) => row.family === family)
                .map((row) => (
                  <option key={row.name}>{row.name}</option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      {chosen !== undefined && (
        <>
          <p class="card">{chosen.summary}</p>
          <NumberEntry name="width" value={width} low={chosen.least} high={store.tables.value?.side} change={(width) => wishFor({ width })} />
          <NumberEntry name="height" value={height} low={chosen.least} high={store.tables.value?.side} change={(height) => wishFor({ height })} />
          <NumberEntry name="seed" value={seed} low={0} change={(seed) => wishFor({ seed })} />
          <div class="buttons">
            <button onClick={() => wishFor({ seed: seed + 1 })}>Next seed</button>
            <button onClick={generate}>Make it again</button>
          </div>
          <p class="hint" aria-live="polite">
            {state.value.busy && 'being made …'}
            {state.value.notes.map((note) => (
              <span key={note} class="line">
                {note}
              </span>
            ))}
            {state.value.problem !== '' && <span class="failed">{state.value.problem}</span>}
          </p>
          {store.shownSites.value !== null && <Legend items={legendOf(store.shownSites.value)} />}
          <Form
            key={generator}
            fields={chosen.parameters}
            values={{ ...defaults(chosen.parameters), ...parameters }}
            change={(values) => wishFor({ parameters: changed(chosen.parameters, values) })}
          />
        </>
      )}
    </>
  );
}
