// Choose a method, set its options, run it, and see how it went.
import { wanted } from '../overlays';
import type { Pane } from '../pane';
import * as store from '../store';
import { changed, defaults, type Method } from '../tables';
import { EndsChoice } from './edit/EndsChoice';
import { Form } from './Form';
import { MapOverlays } from './MapOverlays';
import { Overlays } from './Overlays';
import { SearchPanel } from './SearchPanel';

export function PlanPanel() {
  const pane = store.current.value;
  return (
    <>
      <MethodForm pane={pane} />
      <EndsChoice />
      <RunButton pane={pane} />
      <SearchPanel pane={pane} />
      <Overlays pane={pane} except={Object.keys(wanted.value)} />
      <MapOverlays pane={pane} />
    </>
  );
}

export function MethodForm({ pane }: { pane: Pane }) {
  const tables = store.tables.value;
  if (tables === null) return <p class="quiet">Reading the table of methods …</p>;
  const request = pane.request.value;
  const methods = tables.methods.filter((method) => method.family === request.family);
  const method = methods.find((row) => row.name === request.method);
  const set = (part: Partial<typeof request>) => (pane.request.value = { ...request, ...part });
  const family = (name: string) => {
    const first = tables.methods.find((row) => row.family === name);
    set({ family: name, method: first?.name ?? '', options: {} });
  };
  return (
    <section aria-label="Method">
      <label class="entry">
        <span>task</span>
        <select value={request.family} onChange={(event) => family(event.currentTarget.value)}>
          {tables.families.map((row) => (
            <option key={row.name} value={row.name}>
              {row.title}
            </option>
          ))}
        </select>
      </label>
      {methods.length > 0 && (
        <label class="entry">
          <span>method</span>
          <select value={request.method} onChange={(event) => set({ method: event.currentTarget.value, options: {} })}>
            {methods.map((row) => (
              <option key={row.name}>{row.name}</option>
            ))}
          </select>
        </label>
      )}
      {method !== undefined && <Card method={method} />}
      {method !== undefined && method.options.length > 0 && (
        <details open={method.options.length <= 4}>
          <summary>options</summary>
          <Form
            fields={method.options}
            values={{ ...defaults(method.options), ...request.options }}
            change={(values) => set({ options: changed(method.options, values) })}
          />
        </details>
      )}
      <label class="entry">
        <span>seed</span>
        <input
          type="number"
          min={0}
          step={1}
          value={request.seed}
          onChange={(event) => set({ seed: Math.max(0, Math.round(Number(event.currentTarget.value))) })}
        />
      </label>
    </section>
  );
}

function Card({ method }: { method: Method }) {
  const promises = [method.optimal && 'optimal', method.complete && 'complete', method.seeded && 'seeded'].filter(Boolean);
  return (
    <p class="card" title={method.source}>
      {method.summary}
      {promises.length > 0 && <em> ({promises.join(', ')})</em>}. {method.when}
    </p>
  );
}

export function RunButton({ pane }: { pane: Pane }) {
  const busy = pane.status.value === 'busy';
  const progress = pane.progress.value;
  return (
    <section class="go" aria-label="Run">
      {busy ? (
        <button class="main stop" onClick={() => store.cancel(pane)}>
          Cancel
        </button>
      ) : (
        <button class="main" title="F5" onClick={() => store.start(pane)}>
          Run
        </button>
      )}
      <div aria-live="polite" class="words">
        {busy && progress !== null && (
          <>
            <progress aria-label="progress" max={progress.total || undefined} value={progress.total ? progress.done : undefined} />
            <span>{progress.text}</span>
          </>
        )}
        {!busy && pane.words.value !== '' && <span class={pane.status.value}>{pane.words.value}</span>}
      </div>
    </section>
  );
}
