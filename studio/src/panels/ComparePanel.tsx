// Compare: who takes part, with which options; run all.
import { useEffect, useState } from 'preact/hooks';
import { colourOf } from '../compare/colours';
import * as contest from '../compare/contest';
import * as folder from '../compare/folder';
import type { Pane } from '../pane';
import { css } from '../stage/palette';
import * as store from '../store';
import { changed, defaults } from '../tables';
import { Form } from './Form';
import { Icon } from './Icon';
import '../compare/compare.css';

export function ComparePanel() {
  const tables = store.tables.value;
  if (tables === null) return <p class="quiet">Reading the table of methods …</p>;
  const all = contest.all.value;
  const busy = contest.busy.value;
  const { seed } = store.current.value.request.value;
  return (
    <>
      <section class="go" aria-label="Run">
        <button class={busy ? 'main stop' : 'main'} title={busy ? 'Escape' : 'F5'} onClick={busy ? contest.cancel : contest.start}>
          {busy ? 'Cancel all' : 'Run all'}
        </button>
        <label class="seed">
          seed <input type="number" min={0} step={1} value={seed} onChange={(event) => contest.seed(Math.max(0, Math.round(Number(event.currentTarget.value))))} />
        </label>
      </section>
      <section aria-label="What is compared">
        {all.map((pane, k) => (
          <Contestant key={pane.id} pane={pane} number={k} />
        ))}
      </section>
      <div class="row">
        <button disabled={store.panes.value.length >= contest.MOST} onClick={contest.add}>
          Add one
        </button>
        <button title="each with its defaults; four have a stage, all stand in the table" onClick={contest.every}>
          All group methods
        </button>
      </div>
      <Shown />
      <Folders />
    </>
  );
}

function Contestant({ pane, number }: { pane: Pane; number: number }) {
  const request = pane.request.value;
  const methods = store.tables.value!.methods.filter((row) => row.family === 'group');
  const method = methods.find((row) => row.name === request.method);
  const options = method?.options ?? [];
  const set = (part: Partial<typeof request>) => (pane.request.value = { ...request, ...part });
  const status = pane.status.value;
  const progress = pane.progress.value;
  return (
    <div class="contestant" role="group" aria-label={`contestant ${number + 1}`} style={{ borderLeftColor: css(colourOf(number, store.theme.value)) }}>
      <div class="row">
        <select aria-label={`method ${number + 1}`} title={method?.summary} value={request.method} onChange={(event) => set({ method: event.currentTarget.value, options: {} })}>
          {methods.map((row) => (
            <option key={row.name}>{row.name}</option>
          ))}
        </select>
        <button aria-label={`remove ${request.method}`} disabled={contest.all.value.length <= contest.LEAST} onClick={() => contest.remove(pane)}>
          <Icon name="close" />
        </button>
      </div>
      {options.length > 0 && (
        <details>
          <summary>options{Object.keys(request.options).length > 0 && ' (changed)'}</summary>
          <Form fields={options} values={{ ...defaults(options), ...request.options }} change={(values) => set({ options: changed(options, values) })} />
        </details>
      )}
      <div class="words" aria-live="polite">
        {status === 'busy' && progress !== null && (
          <>
            <progress aria-label={`progress of ${request.method}`} max={progress.total || undefined} value={progress.total ? progress.done : undefined} />
            <span>{progress.text}</span>
          </>
        )}
        {status !== 'busy' && pane.words.value !== '' && <span class={status}>{pane.words.value}</span>}
        {status === 'done' && store.outdated(pane) && <span class="quiet">made of an earlier draft</span>}
      </div>
    </div>
  );
}

/** Overlays of all stages at once. */
function Shown() {
  const names = [...contest.overlays.value];
  if (names.length === 0) return null;
  return (
    <section aria-label="Overlays">
      <h2>shown</h2>
      {names.map(([name, shown]) => (
        <label class="entry check" key={name}>
          <input type="checkbox" checked={shown} onChange={() => contest.overlay(name, !shown)} />
          <span>{name}</span>
        </label>
      ))}
    </section>
  );
}

/** Results folders of the workspace, to be looked at. */
function Folders() {
  const [found, setFound] = useState<string[]>([]);
  useEffect(() => {
    const read = async () => {
      const { files } = await store.client.json<{ files: { path: string; kind: string }[] }>('api/files');
      setFound(files.filter((file) => file.kind === 'results').map((file) => file.path));
    };
    read().catch((error: Error) => (store.notice.value = error.message));
  }, []);
  if (found.length === 0) return null;
  return (
    <section aria-label="Results folders">
      <h2>results of “anabasis compare”</h2>
      <select aria-label="results folder" value={store.results.value?.folder ?? ''} onChange={(event) => void folder.open(event.currentTarget.value)}>
        <option value="" disabled>
          choose a folder
        </option>
        {found.map((path) => (
          <option key={path}>{path}</option>
        ))}
      </select>
    </section>
  );
}
