// What is being saved: one thing at a time, with how far it is, and how it ended.
import { signal } from '@preact/signals';
import { failureText, type Failure } from '../client';
import { client } from '../store';
import type { Message } from '../wire';

export interface Task {
  what: string;
  /** From 0 to 1; null: nobody knows. */
  share: number | null;
  cancel: () => void;
}

export const task = signal<Task | null>(null);
export const said = signal<{ good: boolean; text: string } | null>(null);

export type Told = (share: number | null) => void;

/** Do something that takes a while; it returns what to say when it is done. */
export async function perform(what: string, work: (told: Told, stop: AbortSignal) => Promise<string>): Promise<void> {
  if (task.value !== null) return;
  const abort = new AbortController();
  const cancel = () => abort.abort(new Error(`${what}: cancelled`));
  const told: Told = (share) => void (task.value = { what, share, cancel });
  said.value = null;
  told(null);
  try {
    said.value = { good: true, text: await work(told, abort.signal) };
  } catch (error) {
    said.value = { good: false, text: (error as Error).message };
  } finally {
    task.value = null;
  }
}

/** Let the server do a job; all its messages when it is over. */
export function asked(job: string, args: unknown, told: Told, stop: AbortSignal): Promise<Message[]> {
  return new Promise((resolve, reject) => {
    const messages: Message[] = [];
    const name = client.start(job, args, (message) => {
      const { head } = message;
      if (head.kind === 'failed') reject(new Error(failureText(head as unknown as Failure)));
      else if (head.kind === 'done') resolve(messages);
      else if (head.kind === 'progress') told((head.total as number) > 0 ? (head.done as number) / (head.total as number) : null);
      else messages.push(message);
    });
    stop.addEventListener('abort', () => {
      client.cancel(name);
      reject(stop.reason as Error);
    });
  });
}
