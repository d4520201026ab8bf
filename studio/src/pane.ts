// A pane: one stage with what was asked for and what came of it. Comparing shows several of them.
import { signal } from '@preact/signals';
import { failureText, type Client, type Failure } from './client';
import type { Ways } from './act/show';
import type { Cells, Draft } from './draft';
import { Run } from './run';
import { Search } from './search';
import type { Marks } from './stage/stage';
import type { Value } from './tables';
import type { Message } from './wire';

export interface Request {
  family: string;
  method: string;
  options: Record<string, Value>;
  seed: number;
}

export interface Fact {
  title: string;
  rows: [name: string, value: Value | Value[], unit?: 'seconds'][];
}

export interface Sheet {
  title: string;
  columns: string[];
  rows: Value[][];
}

export type Status = 'idle' | 'busy' | 'done' | 'failed' | 'cancelled';

export interface Progress {
  done: number;
  total: number;
  text: string;
}

let made = 0;

export class Pane {
  /** Its own for good: a canvas can't go over from one pane to another. */
  readonly id = ++made;
  readonly request = signal<Request>({ family: 'group', method: 'vector-field', options: {}, seed: 0 });
  readonly status = signal<Status>('idle');
  readonly progress = signal<Progress | null>(null);
  /** What went wrong, or how it ended. */
  readonly words = signal('');
  readonly run = signal<Run | null>(null);
  /** Rises with each frame that comes. */
  readonly come = signal(0);
  readonly search = signal<Search | null>(null);
  readonly scenes = signal<Map<string, Message>>(new Map());
  /** Names of the overlays that are shown. */
  readonly shown = signal<ReadonlySet<string>>(new Set(['search', 'path', 'plan', 'space', 'drive', 'agents', 'march']));
  /** Of each formation that marches, who keeps to whom. */
  readonly bindings = signal<Message[]>([]);
  readonly facts = signal<Fact[]>([]);
  readonly sheets = signal<Sheet[]>([]);
  /** Numbers that change while a job goes on, such as how many have arrived. */
  readonly counters = signal<Record<string, Value>>({});
  /** The draft that this was computed of; another one makes it out of date. */
  readonly draft = signal<Draft | null>(null);
  /** Told of every message, for parts that want more of a job than is kept here. */
  readonly listeners = new Set<(message: Message) => void>();
  /** Pictures of the map; they stay when something else is asked for. */
  private readonly lasting = new Set<string>();
  job: string | null = null;
  /** What kind of job was asked for last, and the key by which later jobs can name its results. */
  kind = '';
  readonly key = signal<string | null>(null);
  /** A map of its own in place of the draft's. */
  readonly cells = signal<Cells | null>(null);
  /** The file, if this was opened from one without a draft: nothing of what is being edited belongs to it. */
  readonly apart = signal('');
  /** Drawn in place of the draft's marks and units: a game, or a formation, that isn't in the draft. */
  marks: Marks | null = null;
  /** Where its units go and were, unless the run itself says so. */
  ways: Ways | null = null;

  /** Forget all results. */
  clear(): void {
    this.status.value = 'idle';
    this.progress.value = null;
    this.words.value = '';
    this.run.value = null;
    this.search.value = null;
    this.scenes.value = new Map();
    this.bindings.value = [];
    this.facts.value = [];
    this.sheets.value = [];
    this.counters.value = {};
    this.draft.value = null;
    this.key.value = null;
    this.cells.value = null;
    this.apart.value = '';
  }

  /** Ask for something; what was shown before stays until the first answer comes. */
  start(client: Client, job: string, draft: Draft, args: Record<string, unknown>): void {
    this.cancel(client);
    let fresh = true;
    this.kind = job;
    this.status.value = 'busy';
    this.words.value = '';
    this.progress.value = { done: 0, total: 0, text: 'starting' };
    this.job = client.start(job, { draft, ...args }, (message) => {
      if (fresh && message.head.kind !== 'progress' && message.head.kind !== 'begun') {
        fresh = false;
        const { status, progress, key } = this;
        const [was, how, name, scenes] = [status.value, progress.value, key.value, this.scenes.value];
        this.clear();
        [status.value, progress.value, key.value] = [was, how, name];
        this.scenes.value = new Map([...scenes].filter(([scene]) => this.lasting.has(scene)));
        this.draft.value = draft;
      }
      this.take(message);
    });
  }

  cancel(client: Client): void {
    if (this.job === null) return;
    client.cancel(this.job);
    this.job = null;
    this.status.value = 'cancelled';
    this.progress.value = null;
    this.words.value = 'cancelled';
  }

  /** Take one message of a job, a file or a replay. */
  take(message: Message): void {
    const head = message.head;
    switch (head.kind) {
      case 'begun':
        this.key.value = (head.key as string | null | undefined) ?? null;
        break;
      case 'progress':
        this.progress.value = head as unknown as Progress;
        break;
      case 'run':
        this.run.value = new Run(message);
        break;
      case 'frames':
        this.run.value?.take(message);
        this.come.value++;
        break;
      case 'scene':
        this.scenes.value = new Map(this.scenes.value).set(head.name as string, message);
        break;
      case 'overlays':
        this.shown.value = new Set(head.names as string[]);
        break;
      case 'search':
        this.search.value = new Search(message);
        break;
      case 'bindings':
        this.bindings.value = [...this.bindings.value, message];
        break;
      case 'facts':
        this.facts.value = [...this.facts.value, head as unknown as Fact];
        break;
      case 'table':
        this.sheets.value = [...this.sheets.value, head as unknown as Sheet];
        break;
      case 'counters':
        this.counters.value = head as unknown as Record<string, Value>;
        break;
      case 'done':
        this.finish('done', (head.reason as string | undefined) ?? '');
        break;
      case 'failed':
        this.finish('failed', failureText(head as unknown as Failure));
        break;
    }
    for (const listen of this.listeners) listen(message);
  }

  /** Show a picture that no job of this pane's own has made; a `lasting` one is of the map, whatever is planned on it. */
  add(scene: Message, lasting = false): void {
    const name = scene.head.name as string;
    if (lasting) this.lasting.add(name);
    this.scenes.value = new Map(this.scenes.value).set(name, scene);
    if (!this.shown.value.has(name)) this.toggle(name);
  }

  /** Forget a picture that was added. */
  drop(name: string): void {
    this.lasting.delete(name);
    if (!this.scenes.value.has(name)) return;
    const scenes = new Map(this.scenes.value);
    scenes.delete(name);
    this.scenes.value = scenes;
  }

  toggle(name: string): void {
    const shown = new Set(this.shown.value);
    if (!shown.delete(name)) shown.add(name);
    this.shown.value = shown;
  }

  /** Forget why it failed: what was wrong with its draft may be mended. */
  forgive(): void {
    if (this.status.value !== 'failed') return;
    this.status.value = 'idle';
    this.words.value = '';
  }

  private finish(status: Status, words: string): void {
    this.job = null;
    this.status.value = status;
    this.progress.value = null;
    this.words.value = words;
  }
}
