// Where a draft comes from and where it goes: new maps, examples, the workspace, other files, saving.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { cellsOf, emptyMap } from '../../draft';
import { EXAMPLES, type Example } from '../../edit/examples';
import * as files from '../../edit/files';
import { lost, settled } from '../../edit/settle';
import { finer } from '../../edit/scale';
import { prices, said } from '../../edit/state';
import * as store from '../../store';
import { NumberEntry } from './NumberEntry';

const MOST_CELLS = 2 ** 22; // of a map that is drawn by hand

const size = signal({ width: 64, height: 48 });

export function NewMap() {
  const { width, height } = size.value;
  const make = () => {
    const before = store.draft.value;
    store.edit(settled(before, cellsOf(emptyMap(width, height)), prices));
    store.notice.value = lost(before, store.draft.value);
  };
  const here = store.cells.value;
  const fits = width * height <= MOST_CELLS;
  return (
    <>
      <NumberEntry name="width" value={width} low={1} high={4096} change={(width) => (size.value = { width, height })} />
      <NumberEntry name="height" value={height} low={1} high={4096} change={(height) => (size.value = { width, height })} />
      {!fits && <p class="failed">That is too large a map to draw: at most {MOST_CELLS.toLocaleString('en')} cells.</p>}
      <button disabled={!fits} onClick={make}>
        New empty map
      </button>
      <button title="Cut each cell in four: units keep their size, and have more room" disabled={4 * here.width * here.height > MOST_CELLS} onClick={() => store.edit(finer(store.draft.value))}>
        Finer grid
      </button>
    </>
  );
}

function take({ request, make }: Example): void {
  store.open(make(), '', true);
  const method = request.method || store.tables.value?.methods.find((row) => row.family === request.family)?.name || '';
  store.current.value.request.value = { ...request, method, options: {}, seed: 0 };
}

export function Examples() {
  return (
    <ul class="rows">
      {EXAMPLES.map((example) => (
        <li key={example.name}>
          <button class="pick tall" onClick={() => take(example)}>
            <span class="name">{example.name}</span>
            <span class="much">{example.about}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const wanted = signal('');

export function Workspace() {
  useEffect(() => void files.list(), []);
  const listing = files.listing.value;
  const chooser = useRef<HTMLInputElement>(null);
  const words = wanted.value.toLowerCase();
  const found = listing?.files.filter(({ path }) => path.toLowerCase().includes(words)) ?? [];
  return (
    <>
      <div class="buttons">
        <button onClick={() => chooser.current!.click()}>Open another file …</button>
        <button onClick={() => void files.list()}>Look again</button>
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="a file to open"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void files.bring(file);
          event.currentTarget.value = '';
        }}
      />
      <p class="hint">Or drop a file anywhere on the page: maps, pictures, Tiled and LDtk maps, scenarios, traces.</p>
      {listing !== null && listing.files.length > 8 && (
        <label class="entry">
          <span>find</span>
          <input type="text" value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />
        </label>
      )}
      <ul class="rows files" aria-label="Files of the workspace">
        {found.map(({ path, kind, size }) => (
          <li key={path}>
            <button class="pick" disabled={files.reading.value !== ''} onClick={() => void files.open(path)} title={`${path}, ${sizeText(size)}`}>
              <span class="name">{path}</span>
              <span class="much">{files.reading.value === path ? 'reading …' : kind}</span>
            </button>
          </li>
        ))}
      </ul>
      {listing !== null && found.length === 0 && <p class="hint">{listing.files.length === 0 ? `There is no file in ${listing.name} that can be opened.` : 'Nothing of that name.'}</p>}
      {listing?.more && <p class="hint">There are more files than are listed.</p>}
    </>
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 2 ** 20 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

const name = signal<string | null>(null);
const replacing = signal(false);

export function SaveForm() {
  const own = store.file.value;
  const endings = store.tables.value?.saved ?? [];
  const path = name.value ?? files.nameFor(own, store.draft.value.scenario.name, endings);
  const save = async () => {
    if (await files.save(path, replacing.value || path === own)) {
      name.value = null;
      replacing.value = false;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label class="entry long" title={`the ending says as what: ${endings.join(', ')}`}>
        <span>file</span>
        <input type="text" spellcheck={false} value={path} onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      {path !== own && (
        <label class="entry check">
          <input type="checkbox" checked={replacing.value} onChange={(event) => (replacing.value = event.currentTarget.checked)} />
          <span>replace a file of this name</span>
        </label>
      )}
      <div class="buttons">
        <button type="submit" disabled={endings.length === 0}>{path === own ? 'Save' : 'Save as'}</button>
      </div>
      <p class="said" aria-live="polite">
        {said.value}
      </p>
    </form>
  );
}
