// What a player plays: messages one after the other, as the studio's server sends them, into the panes.
import * as clock from '../clock';
import { begin } from '../history';
import type { Draft } from '../draft';
import { Pane } from '../pane';
import * as view from '../view';
import { unpackAll, type Message } from '../wire';

const MOST = 4; // panes

/** The panes for messages: one for each job. What belongs to all, such as the draft, makes none. */
export function panesOf(messages: Message[]): Pane[] {
  const panes = new Map<string, Pane>();
  for (const message of messages) {
    const { kind, job } = message.head;
    if (kind === 'draft') continue;
    if (!panes.has(job) && panes.size < MOST) panes.set(job, new Pane());
    panes.get(job)?.take(message);
  }
  return panes.size > 0 ? [...panes.values()] : [new Pane()];
}

/** Show messages from the beginning. */
export function show(messages: Message[]): void {
  const found = messages.find((message) => message.head.kind === 'draft');
  if (found !== undefined) view.history.value = begin(found.head.draft as Draft);
  view.panes.value = panesOf(messages);
  view.mode.value = 'run';
  view.camera.value = null;
  clock.seek(0);
}

/** The messages in a text of base64 that a page has in it: deflated, each with its length before it. */
export async function written(text: string): Promise<Message[]> {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return unpackAll(await new Response(stream).arrayBuffer());
}
