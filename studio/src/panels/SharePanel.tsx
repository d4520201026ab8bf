// Share: the address, pictures, films, a replay in one file, the same as a command line or as Python, the draft.
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import * as clock from '../clock';
import { copy } from '../share/files';
import { formats, seconds } from '../share/record';
import * as saving from '../share/saving';
import { perform, said, task } from '../share/task';
import type { Size } from '../stage/camera';
import * as store from '../store';
import { titleOf } from './Caption';
import '../share/share.css';

const SIZES: Record<string, Size | null> = {
  'as on the page': null,
  '640 × 360': { width: 640, height: 360 },
  '1280 × 720': { width: 1280, height: 720 },
  '1920 × 1080': { width: 1920, height: 1080 },
  '1080 × 1080': { width: 1080, height: 1080 },
};
const RATE = 30; // pictures a second of a film

const size = signal('1280 × 720');
const captions = signal(true);
const speed = signal(0); // steps a second of a film; 0: that of the clock

const sizeNow = () => SIZES[size.value] ?? saving.sizeOnPage();

export function SharePanel() {
  useEffect(() => () => task.value?.cancel(), []);
  return (
    <div class="share">
      <Outcome />
      <section aria-label="Address">
        <h2>address</h2>
        <p class="quiet">It holds map, units, request and view, so that it can be kept as a bookmark. It opens on this machine, while the studio runs.</p>
        <Do onClick={saving.copyAddress}>Copy the address</Do>
      </section>
      <Pictures />
      <Films />
      <Replay />
      <Words />
      <DraftFile />
    </div>
  );
}

/** What is being done, with a way to end it, or how it went. */
function Outcome() {
  const now = task.value;
  const last = said.value;
  return (
    <div class="outcome" role="status">
      {now !== null && (
        <>
          {now.what} …
          <progress aria-label={now.what} value={now.share ?? undefined} max={1} />
          <button onClick={now.cancel}>Cancel</button>
        </>
      )}
      {now === null && last !== null && <span class={last.good ? 'done' : 'failed'}>{last.text}</span>}
    </div>
  );
}

function Do({ onClick, disabled, children }: { onClick: () => void; disabled?: boolean; children: string }) {
  return (
    <button disabled={disabled || task.value !== null} onClick={onClick}>
      {children}
    </button>
  );
}

function Pictures() {
  const pane = store.current.value;
  const step = Math.round(clock.time.value);
  return (
    <section aria-label="Picture">
      <h2>picture of step {step}</h2>
      <label class="entry">
        <span>size</span>
        <select value={size.value} onChange={(event) => (size.value = event.currentTarget.value)}>
          {Object.keys(SIZES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="entry check">
        <input type="checkbox" checked={captions.value} onChange={() => (captions.value = !captions.value)} />
        <span>method, step and arrivals above it</span>
      </label>
      <div class="row">
        <Do onClick={() => void saving.savePng(sizeNow(), captions.value)}>Save PNG</Do>
        <Do disabled={pane.run.value === null} onClick={() => saving.saveSvg(pane, sizeNow())}>
          Save SVG
        </Do>
      </div>
      <p class="quiet">SVG, and a GIF below, show the whole map in light colours, units by group{store.onStage.value.length > 1 && `, of ${titleOf(pane)} alone`}.</p>
    </section>
  );
}

function Films() {
  const runs = store.panes.value.map((pane) => (pane.come.value, pane.run.value)).filter((run) => run !== null && !run.live);
  const pace = speed.value || clock.speed.value;
  const take = { from: 0, to: Math.max(0, ...runs.map((run) => run!.end)), speed: pace, rate: RATE };
  const known = formats();
  return (
    <section aria-label="Film">
      <h2>film of the run</h2>
      {runs.length === 0 ? (
        <p class="quiet">Run something first.</p>
      ) : (
        <>
          <label class="entry">
            <span>steps a second</span>
            <input type="number" min={1} max={5000} value={Math.round(pace)} onChange={(event) => (speed.value = Math.max(0, Math.round(Number(event.currentTarget.value))))} />
          </label>
          <p class="quiet">
            {seconds(take).toFixed(1)} s, {size.value}; recording takes as long. Keep this tab in front meanwhile.
          </p>
          <div class="row">
            {known.map((format) => (
              <Do key={format.name} onClick={() => void saving.saveFilm(sizeNow(), { ...take, format }, captions.value)}>
                {`Save ${format.name === 'webm' ? 'WebM' : 'MP4'}`}
              </Do>
            ))}
            <Do onClick={() => saving.saveGif(store.current.value, sizeNow(), pace)}>Save GIF</Do>
          </div>
          {known.length === 0 && <p class="quiet">This browser can’t record films.</p>}
        </>
      )}
    </section>
  );
}

function Replay() {
  const panes = store.panes.value.filter((pane) => pane.run.value !== null);
  return (
    <section aria-label="Replay">
      <h2>replay in one file</h2>
      <p class="quiet">An HTML file that plays in any browser, from disk, without the studio and without a network.</p>
      <Do disabled={panes.length === 0} onClick={() => saving.saveReplay(panes)}>
        Save HTML
      </Do>
    </section>
  );
}

function Words() {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<string[]>([]);
  const take = (which: 'command' | 'python') =>
    void perform(which === 'python' ? 'Python' : 'Command line', async () => {
      const found = await saving.words(store.current.value);
      setText(found[which]);
      setFiles(found.files);
      await copy(found[which]);
      return which === 'python' ? 'Copied as Python.' : 'Copied as a command line.';
    });
  return (
    <section aria-label="Words">
      <h2>the same without the studio</h2>
      <div class="row">
        <Do onClick={() => take('command')}>Copy as command line</Do>
        <Do onClick={() => take('python')}>Copy as Python</Do>
      </div>
      {text !== '' && (
        <>
          <textarea readOnly aria-label="what was copied" value={text} />
          <p class="quiet">It reads {files.join(' and ')}{files.length > 1 ? ', both in one folder' : ''}:</p>
          <div class="row">
            {files.map((name) => (
              <Do key={name} onClick={() => saving.saveDraftAs(name)}>
                {`Download ${name}`}
              </Do>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function DraftFile() {
  const endings = store.tables.value?.saved ?? [];
  const [chosen, setChosen] = useState('');
  const ending = chosen || endings[0];
  return (
    <section aria-label="Draft">
      <h2>draft</h2>
      <label class="entry">
        <span>format</span>
        <select value={ending} onChange={(event) => setChosen(event.currentTarget.value)}>
          {endings.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <Do disabled={endings.length === 0} onClick={() => saving.saveDraft(ending)}>Download the draft</Do>
    </section>
  );
}
