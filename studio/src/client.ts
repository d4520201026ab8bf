// The way to the server: a socket for jobs, HTTP for tables and files. All addresses lie below that of the page.
import { unpack, unpackAll, type Message } from './wire';

export type Listener = (message: Message) => void;

const PAUSE = 1000; // ms before the next try to connect

export class Client {
  /** Told when the socket opens (true) and closes. */
  onlink: (linked: boolean) => void = () => {};
  private socket: WebSocket | null = null;
  private readonly base: URL;
  private readonly listeners = new Map<string, Listener>();
  private readonly waiting: string[] = [];
  private next = 0;

  constructor(page: string) {
    this.base = new URL('.', page);
    this.base.hash = '';
    this.connect();
  }

  /** Begin a job; its messages go to `listen`. Returns its name. */
  start(job: string, args: unknown, listen: Listener): string {
    const name = `${job}-${++this.next}`;
    this.listeners.set(name, listen);
    this.send({ kind: 'start', job: name, do: job, args });
    return name;
  }

  cancel(name: string): void {
    this.listeners.delete(name);
    this.send({ kind: 'cancel', job: name });
  }

  /** Say something to a job that goes on. */
  tell(name: string, say: string, words: Record<string, unknown> = {}): void {
    this.send({ kind: 'tell', job: name, say, ...words });
  }

  /** Say that a frame of a live job has been drawn. */
  shown(name: string, number: number): void {
    this.send({ kind: 'shown', job: name, number });
  }

  async json<T>(path: string): Promise<T> {
    return (await this.fetched(path)).json() as Promise<T>;
  }

  async messages(path: string, init?: RequestInit): Promise<Message[]> {
    return unpackAll(await (await this.fetched(path, init)).arrayBuffer());
  }

  async put<T>(path: string, body: unknown): Promise<T> {
    const response = await this.fetched(path, { method: 'PUT', body: JSON.stringify(body) });
    return response.json() as Promise<T>;
  }

  private async fetched(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(new URL(path, this.base), init);
    if (response.ok) return response;
    const failure = (await response.json().catch(() => null)) as Failure | null;
    throw new Error(failure === null ? `the server answers ${response.status}` : failureText(failure));
  }

  private connect(): void {
    const address = new URL('socket', this.base);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.socket = socket;
      for (const text of this.waiting.splice(0)) socket.send(text);
      this.onlink(true);
    };
    socket.onmessage = (event) => this.heard(event.data as ArrayBuffer);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
      this.socket = null;
      this.onlink(false);
      setTimeout(() => this.connect(), PAUSE);
    };
  }

  private lost(): void {
    const text = 'the connection to the server was lost';
    for (const [job, listen] of [...this.listeners]) listen({ head: { kind: 'failed', job, problem: text }, arrays: {} });
    this.listeners.clear();
  }

  private heard(data: ArrayBuffer): void {
    const message = unpack(data);
    const listen = this.listeners.get(message.head.job);
    if (message.head.kind === 'done' || message.head.kind === 'failed') this.listeners.delete(message.head.job);
    listen?.(message);
  }

  private send(words: Record<string, unknown>): void {
    const text = JSON.stringify(words);
    if (this.socket !== null) this.socket.send(text);
    else this.waiting.push(text);
  }
}

export interface Failure {
  problem: string;
  file?: string | null;
  where?: string | null;
  found?: string | null;
  expected?: string | null;
  hint?: string | null;
}

/** What went wrong, as one sentence for people. */
export function failureText(failure: Failure): string {
  const place = [failure.file, failure.where].filter(Boolean).join(': ');
  let text = place ? `${place}: ${failure.problem}` : failure.problem;
  if (failure.found) text += `; found ${failure.found}`;
  if (failure.expected) text += `; expected ${failure.expected}`;
  if (failure.hint) text += `. Hint: ${failure.hint}`;
  return text;
}
