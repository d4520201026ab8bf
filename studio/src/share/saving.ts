// What the share panel does: address, pictures, films, replays, words, drafts.
import * as clock from '../clock';
import { leftOut } from '../edit/files';
import type { Pane } from '../pane';
import { stages } from '../panels/StageView';
import type { Size } from '../stage/camera';
import * as store from '../store';
import { assembled, copy, download, fileName, sizeText } from './files';
import { record, type Take } from './record';
import { Shot } from './shot';
import { asked, perform, type Told } from './task';
import { columns, even, pictures } from './tiles';

function title(panes = store.panes.value): string {
  const method = panes.length > 1 ? 'comparison' : (panes[0].run.value?.head.method ?? '');
  return `${store.draft.value.scenario.name || 'anabasis'} ${method}`;
}

function saved(data: Blob, name: string): string {
  download(data, name);
  return `Saved ${name}, ${sizeText(data.size)}.`;
}

/** What is on the page now, as wide and high as the stages. */
export function sizeOnPage(): Size {
  const boxes = store.panes.value.map((pane) => stages.get(pane)?.view).filter((view) => view !== undefined);
  if (boxes.length === 0) return { width: 1280, height: 720 };
  const [width, height] = [Math.max(...boxes.map((box) => box.width)), Math.max(...boxes.map((box) => box.height))];
  const across = columns(boxes.length, store.cells.value);
  return { width: width * across, height: height * Math.ceil(boxes.length / across) };
}

const sizes = ({ width, height }: Size) => ({ width: even(width), height: even(height) });

export const copyAddress = () =>
  perform('Address', async () => {
    await new Promise((resolve) => setTimeout(resolve, 500)); // until the address has what was changed last
    await copy(location.href);
    return `Copied: ${location.href.length.toLocaleString('en')} characters.`;
  });

export const savePng = (size: Size, captions: boolean) =>
  perform('Picture', async () => {
    const shot = await Shot.create(store.panes.value, sizes(size), captions);
    try {
      shot.draw(clock.time.value);
      const data = await new Promise<Blob | null>((resolve) => shot.sheet.toBlob(resolve, 'image/png'));
      if (data === null) throw new Error('The browser could not make a picture of this size.');
      return saved(data, fileName(`${title()} ${Math.round(clock.time.value)}`, 'png'));
    } finally {
      shot.destroy();
    }
  });

export const saveFilm = (size: Size, take: Take, captions: boolean) =>
  perform('Film', async (told, stop) => {
    const shot = await Shot.create(store.panes.value, sizes(size), captions);
    try {
      return saved(await record(shot, take, told, stop), fileName(title(), take.format.name));
    } finally {
      shot.destroy();
    }
  });

/** A file that the server makes. */
async function exported(args: Record<string, unknown>, told: Told, stop: AbortSignal): Promise<string> {
  const file = assembled(await asked('export', args, told, stop));
  if (file === null) throw new Error('The server sent no file.');
  return saved(file.data, file.name) + leftOut(file.notes);
}

/** A file of what panes show, of which the server has kept the messages. */
const saveShown = (what: string, panes: Pane[], format: string, more: Record<string, unknown>) =>
  perform(what, (told, stop) => {
    const keys = panes.map((pane) => pane.key.value).filter((key) => key !== null);
    if (keys.length < panes.length) throw new Error('The server makes this file of what it has computed: run it here first.');
    const of = keys.length > 1 ? keys : keys[0];
    return exported({ draft: panes[0].draft.value ?? store.draft.value, of, format, name: title(panes), ...more }, told, stop);
  });

/** The draft as a file of this name, in one of the formats that Anabasis reads. */
export const saveDraftAs = (name: string) => void perform('Draft', (told, stop) => exported({ draft: store.draft.value, format: 'draft', name }, told, stop));

export const saveDraft = (ending: string) => saveDraftAs(fileName(store.draft.value.scenario.name, ending.slice(1)));

const longest = ({ width, height }: Size) => Math.round(Math.max(width, height));

const pixels = (side: number) => Math.min(Math.max(Math.round(side), 64), 4000);

export function saveSvg(pane: Pane, size: Size): void {
  const frame = pane.run.value?.frameOf(clock.time.value);
  void saveShown('SVG', [pane], 'svg', { frame, overlays: [...pane.shown.value], width: pixels(size.width), height: pixels(size.height) });
}

/** `speed`: steps a second. */
export function saveGif(pane: Pane, size: Size, speed: number): void {
  const run = pane.run.value;
  if (run === null) return;
  const { most, rate } = pictures(run.end / speed);
  void saveShown('GIF', [pane], 'gif', { most, rate, overlays: [...pane.shown.value], size: Math.min(longest(size), 1000) });
}

/** One HTML file with all panes, which begins with the overlays that are shown now. */
export const saveReplay = (panes: Pane[]) => void saveShown('Replay', panes, 'html', { shown: panes.map((pane) => [...pane.shown.value]) });

export interface Words {
  command: string;
  python: string;
  /** The names of the files that both read. */
  files: string[];
}

/** The request as a command line and as Python. */
export async function words(pane: Pane): Promise<Words> {
  const { family, method, options, seed } = pane.request.value;
  const args = { do: family, draft: store.draft.value, request: { method, options, seed } };
  const messages = await asked('words', args, () => {}, new AbortController().signal);
  const head = messages.find(({ head }) => head.kind === 'words')?.head;
  if (head === undefined) throw new Error('The server sent no words.');
  return head as unknown as Words;
}
