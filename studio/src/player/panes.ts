// Which messages of a replay belong together.
import { Pane } from '../pane';
import type { Message } from '../wire';

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
