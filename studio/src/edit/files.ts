// Files: of the workspace, and those that are dropped on the page.
import { signal } from '@preact/signals';
import * as store from '../store';
import { said } from './state';

export interface Listed {
  path: string;
  kind: string;
  size: number;
}

export interface Listing {
  name: string;
  files: Listed[];
  more: boolean;
}

const MOST = 64 * 2 ** 20; // bytes that the server takes

/** What the workspace holds; null until it was asked for. */
export const listing = signal<Listing | null>(null);
/** Whether a file is being dragged over the page. */
export const hovering = signal(false);
/** The name of the file that is being read, empty if none is. */
export const reading = signal('');

const explain = (error: unknown) => void (store.notice.value = (error as Error).message);

export async function list(): Promise<void> {
  try {
    listing.value = await store.client.json<Listing>('api/files');
  } catch (error) {
    explain(error);
  }
}

export async function open(path: string): Promise<void> {
  reading.value = path;
  try {
    store.opened(await store.client.messages(`api/open?path=${encodeURIComponent(path)}`), path, true);
  } catch (error) {
    explain(error);
  }
  reading.value = '';
}

/** Read a file that isn't the workspace's; nothing is written. */
export async function bring(file: File): Promise<void> {
  if (file.size > MOST) {
    store.notice.value = `${file.name} is too large for the studio: ${Math.ceil(file.size / 2 ** 20)} MiB, of at most 64. The command line takes larger ones.`;
    return;
  }
  reading.value = file.name;
  try {
    store.opened(await store.client.messages(`api/import?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file }), file.name, true);
  } catch (error) {
    explain(error);
  }
  reading.value = '';
}

/** Write the draft; the ending of the name says as what. */
export async function save(path: string, overwrite: boolean): Promise<boolean> {
  said.value = '';
  try {
    const query = `path=${encodeURIComponent(path)}${overwrite ? '&overwrite=yes' : ''}`;
    const answer = await store.client.put<{ path: string; files: string[]; notes?: string[] }>(`api/save?${query}`, store.draft.value);
    store.file.value = answer.path;
    store.notice.value = '';
    const beside = answer.files.slice(1).map((name) => ` Its map is ${name}, beside it.`);
    said.value = `Saved as ${answer.path}.${beside.join('')}${leftOut(answer.notes)}`;
    if (listing.value !== null) void list();
    return true;
  } catch (error) {
    explain(error);
    return false;
  }
}

/** What of a draft a file does not hold, as a sentence after another one. */
export const leftOut = (notes: string[] = []) => (notes.length > 0 ? ` It does not hold: ${notes.join(', ')}.` : '');

/** The name under which a draft is saved if nothing else is said; endings: of the names that can be saved. */
export function nameFor(file: string, scenario: string, endings: string[]): string {
  if (endings.some((ending) => file.endsWith(ending))) return file;
  const words = (file.replace(/\.[^./]+$/, '') || scenario).toLowerCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, '_');
  return `${words.replaceAll(/^_+|_+$/g, '') || 'untitled'}.scenario.toml`;
}

/** Take files that are dropped anywhere on the page. */
export function acceptDrops(): void {
  const files = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  window.addEventListener('dragover', (event) => {
    if (!files(event)) return;
    event.preventDefault();
    hovering.value = true;
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) hovering.value = false; // out of the window
  });
  window.addEventListener('drop', (event) => {
    if (!files(event)) return;
    event.preventDefault();
    hovering.value = false;
    const [first, ...others] = event.dataTransfer!.files;
    if (first === undefined) return;
    if (others.length > 0) store.notice.value = `One file at a time: ${first.name} is opened.`;
    void bring(first);
  });
}
