// What a player plays: messages one after the other, as the studio's server sends them, into the panes.
import * as clock from '../clock';
import { begin } from '../history';
import type { Draft } from '../draft';
import * as view from '../view';
import { unpackAll, type Message } from '../wire';
import { panesOf } from './panes';

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
