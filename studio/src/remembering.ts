// What the address remembers: draft, requests and view. It is written when they change, and read when the page is loaded.
import { effect, untracked } from '@preact/signals';
import { decode, encode } from './address';
import * as clock from './clock';
import { cellsOf, DRAFT, type Draft } from './draft';
import { Pane, type Request } from './pane';
import { misfit, type Shape } from './shape';
import type { Camera } from './stage/camera';
import type { Theme } from './stage/palette';
import { COLOURINGS, type Colouring } from './stage/stage';
import { client, file, notice, open, opened, reach, start, tables, usual } from './store';
import type { Tables } from './tables';
import { act, ACTS, actors, camera, colouring, draft, mode, MODES, panes, theme, type Act, type Mode } from './view';

interface State {
  draft: Draft;
  file: string;
  mode: Mode;
  act: Act;
  requests: Request[];
  asked: boolean[];
  shown: string[];
  usual: string[] | null;
  camera: Camera | null;
  time: number;
  speed: number;
  loop: boolean;
  bookmarks: number[];
  colouring: Colouring;
  theme: Theme;
}

const KEPT: Shape = {
  draft: DRAFT,
  'file?': 'string',
  'requests?': [{ family: 'string', method: 'string', options: {}, seed: 'number' }],
  'asked?': ['boolean'],
  'shown?': ['string'],
  'usual?': ['string'],
  'camera?': { x: 'number', y: 'number', scale: 'number' },
  'time?': 'number',
  'speed?': 'number',
  'loop?': 'boolean',
  'bookmarks?': ['number'],
};

function state(): State {
  return {
    draft: draft.value,
    file: file.value,
    mode: mode.value,
    act: act.value,
    requests: panes.value.map((pane) => pane.request.value),
    asked: panes.value.map((pane) => pane.kind === pane.request.value.family && ['busy', 'done'].includes(pane.status.value)),
    shown: [...panes.value[0].shown.value],
    usual: usual.value && [...usual.value],
    camera: camera.value,
    time: clock.playing.value ? 0 : Math.round(clock.time.value),
    speed: clock.speed.value,
    loop: clock.loop.value,
    bookmarks: clock.bookmarks.value,
    colouring: colouring.value,
    theme: theme.value,
  };
}

/** Set everything as an address says; its results are asked for again. */
async function restore(hash: string): Promise<void> {
  if (!hash.startsWith('#s=')) return;
  const kept = await decode(hash);
  const wrong = misfit(kept, KEPT) ?? (cellsOf((kept as State).draft.scenario.map.text).width > 0 ? null : 'draft.scenario.map.text');
  if (wrong !== null) {
    notice.value = `What this address holds is damaged${wrong === '' ? '' : ` at ${wrong}`}: nothing was taken from it.`;
    return;
  }
  const found = kept as Pick<State, 'draft'> & Partial<State>;
  open(found.draft, found.file);
  if (found.mode !== undefined && MODES.includes(found.mode)) mode.value = found.mode;
  act.value = found.act !== undefined && ACTS.includes(found.act) ? found.act : 'playback';
  if (found.requests?.length) {
    panes.value = found.requests.slice(0, 4).map((request) => {
      const pane = new Pane();
      pane.request.value = request;
      pane.shown.value = new Set(found.shown ?? []);
      return pane;
    });
  }
  usual.value = found.usual ? new Set(found.usual) : null;
  camera.value = found.camera ?? null;
  clock.speed.value = found.speed ?? 60;
  clock.loop.value = found.loop ?? false;
  clock.bookmarks.value = found.bookmarks ?? [];
  if (found.colouring !== undefined && COLOURINGS.includes(found.colouring)) colouring.value = found.colouring;
  if (found.theme === 'dark' || found.theme === 'light') theme.value = found.theme;
  panes.value.forEach((pane, k) => {
    if (found.asked?.[k]) start(pane);
  });
  reach(found.time ?? 0);
}

const QUIET = 400; // ms without a change before the address is written

let timer = 0;
let written = '';

function remember(): void {
  const now = state();
  clearTimeout(timer);
  document.body.dataset.address = 'late';
  const mine = window.setTimeout(async () => {
    const coded = await encode(now);
    if (mine !== timer) return; // something has changed meanwhile
    document.body.dataset.address = 'kept';
    if (coded === null) {
      notice.value = 'This map is too large to be kept in the address: save it as a file.';
      return;
    }
    written = `#${coded}`;
    window.history.replaceState(null, '', written);
  }, QUIET);
  timer = mine;
}

function named(coded: string): string {
  try {
    return decodeURIComponent(coded);
  } catch {
    throw new Error('The name of the file in this address is damaged: nothing was opened.');
  }
}

/** Read the tables and the address, then keep the address up to date. */
export async function begun(): Promise<void> {
  const wanted = /^#open=(.+)$/.exec(location.hash);
  if (wanted !== null) {
    try {
      const name = named(wanted[1]);
      opened(await client.messages(`api/open?path=${encodeURIComponent(name)}`), name);
    } catch (error) {
      notice.value = (error as Error).message;
    }
  } else {
    await restore(location.hash);
  }
  effect(remember);
  effect(() => {
    const now = draft.value;
    for (const pane of [...panes.value, ...Object.values(actors)]) {
      if (pane?.draft.value !== now) untracked(() => pane?.forgive());
    }
  });
  window.addEventListener('hashchange', () => {
    if (location.hash !== written) void restore(location.hash);
  });
  tables.value = await client.json<Tables>('api/tables');
}
