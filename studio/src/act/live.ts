// A live simulation: the server keeps its time, and the page looks at it and says what is to be done.
import { computed, effect, signal } from '@preact/signals';
import * as clock from '../clock';
import { failureText, type Failure } from '../client';
import { cellsOf, type Change, type Place } from '../draft';
import type { Run } from '../run';
import * as store from '../store';
import type { Message } from '../wire';
import { there } from './show';
import { cellsAt, madeBy, ordersAt, roomFor, type Order, type Stop, type Told } from './told';

export const pane = store.actors.live!;
pane.shown.value = new Set(['why']);

/** The units that the next order is for. */
export const chosen = signal<ReadonlySet<number>>(new Set());
/** Stops that were set with shift held, not sent yet. */
export const stops = signal<Stop[]>([]);
/** Everything that this run was told, as the server says. */
export const told = signal<Told[]>([]);
/** How the run ended, empty while it goes on. */
export const ended = signal('');
/** What was understood of what was told last, or why not. */
export const words = signal('');
/** Radius of targets of orders; 0: room for those that are sent. */
export const radius = signal(0);
/** Go as fast as the machine can. */
export const hurried = signal(false);

export const going = computed(() => pane.status.value === 'busy');
/** The scenario was edited after the run began. */
export const old = computed(() => store.outdated(pane));

let reached = 0; // the last step that there was
let drawn = -1; // the frame that waits to be drawn
let trail: number[] = [];
let followed = -1;

/** Begin a run of the draft; `orders` are given again, when they were given. */
export function begin(orders: Told[] = []): void {
  const { method, options, seed } = pane.request.value;
  chosen.value = new Set();
  stops.value = [];
  ended.value = '';
  told.value = orders;
  words.value = '';
  store.unit.value = -1;
  clock.playing.value = false;
  clock.time.value = clock.end.value = clock.final.value = reached = 0;
  pane.start(store.client, 'live', store.draft.value, { method, options, seed, orders });
}

/** End the run; what came out so far is measured. */
export function stop(): void {
  clock.playing.value = false;
  tell('stop');
}

function tell(say: string, words: Record<string, unknown> = {}): void {
  if (pane.job !== null) store.client.tell(pane.job, say, words);
}

/** Steps a second, null for as many as there can be. */
const pace = () => (hurried.value ? null : clock.speed.value);

export const driver: clock.Driver = {
  play() {
    if (!going.value) return;
    clock.playing.value = true;
    tell('play', { speed: pace() });
  },
  pause() {
    clock.playing.value = false;
    tell('pause');
  },
  seek(step) {
    clock.playing.value = false;
    tell('go', { to: Math.round(step) });
  },
  step(by) {
    clock.playing.value = false;
    tell(by > 0 ? 'step' : 'back', { steps: Math.abs(by) });
  },
};

effect(() => {
  const speed = pace();
  if (clock.playing.peek() && clock.driver.peek() === driver) tell('play', { speed });
});

/** Show the step at which the run stands; before there is one, take the method that was planned with. */
export function enter(): void {
  const planned = store.panes.value[0].request.value;
  if (pane.run.value === null && planned.family === 'group') {
    pane.request.value = { ...pane.request.value, method: planned.method, seed: planned.seed };
  }
  clock.time.value = pane.run.value?.moment.step ?? 0;
  clock.end.value = clock.final.value = reached;
}

/** Choose units, instead of those before or besides them. */
export function choose(units: Iterable<number>, more = false): void {
  chosen.value = new Set(more ? [...chosen.value, ...units] : units);
  const [first] = chosen.value;
  store.unit.value = chosen.value.size === 1 ? first : -1;
}

/** All units of a group that are under way. */
export function unitsOf(run: Run, group: number): number[] {
  return Array.from(run.group.keys()).filter((unit) => run.group[unit] === group && there(run, unit));
}

/** The next stop of those that were chosen. */
function stopAt([x, y]: Place): Stop {
  const run = pane.run.value;
  const [first] = chosen.value;
  const wide = run === null ? 1 : roomFor(chosen.value.size, run.radius[first] ?? 0.5);
  const round = (value: number) => Math.round(value * 100) / 100;
  return [round(x), round(y), radius.value > 0 ? radius.value : wide];
}

/** Set a stop on the way of the next order. */
export function addStop(place: Place): void {
  if (chosen.value.size > 0) stops.value = [...stops.value, stopAt(place)];
}

/** Send who is chosen along the stops that were set, and to a last one. */
export function send(place: Place | null = null): void {
  const run = pane.run.value;
  if (place !== null) addStop(place);
  const way = stops.value;
  const units = [...chosen.value].filter((unit) => run !== null && there(run, unit));
  stops.value = [];
  if (way.length === 0 || units.length === 0) return;
  const [x, y, wide] = way[way.length - 1];
  tell('order', { units, target: [x, y], radius: wide, through: way.slice(0, -1).map((stop) => stop.slice(0, 2)) });
}

export const dropStops = () => void (stops.value = []);

export function paint(cells: Place[], terrain: string): void {
  if (cells.length > 0) tell('change', { cells, terrain });
}

export function remove(): void {
  if (chosen.value.size > 0) tell('remove', { units: [...chosen.value] });
  choose([]);
}

/** Ask why a unit is where it is. */
export const why = (unit: number) => tell('why', { unit });

/** Where the chosen unit was, since it was chosen. */
const trailOf = (unit: number): number[] => (unit === followed ? trail : []);

function follow(): void {
  const run = pane.run.value;
  const unit = store.unit.value;
  if (unit !== followed) [followed, trail] = [unit, []];
  if (run === null || unit < 0 || run.come === 0) return;
  const { positions } = run.moment;
  trail.push(positions[2 * unit], positions[2 * unit + 1]);
}

let current: { told: Told[]; due: number; orders: Map<number, Order> } = { told: [], due: 0, orders: new Map() };

/** The orders that units follow at the step that is shown. */
export function orders(): Map<number, Order> {
  const due = madeBy(told.value, clock.time.value + 1); // what was just told is done in the next step
  if (current.told !== told.value || current.due !== due) {
    current = { told: told.value, due, orders: ordersAt(told.value, clock.time.value + 1) };
  }
  return current.orders;
}

pane.ways = {
  goal(unit) {
    const way = orders().get(unit)?.order;
    const target = pane.draft.value?.scenario.groups[pane.run.value?.group[unit] ?? 0]?.target;
    if (way !== undefined) return [way[way.length - 1][0], way[way.length - 1][1]];
    return target === undefined ? null : [target.x, target.y];
  },
  trail: trailOf,
};

let changes: Change[] = []; // of the map, those of the scenario and those that were told
let shownOf: Change[] = [];
let shownMade = -1;

/** Show the map as it is at this step. */
function showMap(): void {
  const draft = pane.draft.value;
  if (draft === null) return;
  const made = madeBy(changes, clock.time.value);
  if (pane.cells.value !== null && made === shownMade && shownOf === changes) return;
  [shownMade, shownOf] = [made, changes];
  pane.cells.value = cellsAt(cellsOf(draft.scenario.map.text), changes, clock.time.value);
}

function heard({ head }: Message): void {
  if (head.kind === 'run') changes = head.changes as Change[];
  else if (head.kind === 'frames') {
    drawn = head.first as number;
    if (clock.driver.value !== driver) return;
    clock.time.value = drawn;
    reached = Math.max(reached, clock.time.value);
    clock.end.value = clock.final.value = reached;
    follow();
    showMap();
    clock.redraw();
  } else if (head.kind === 'told') {
    words.value = head.text as string;
    if (head.changes === undefined) return;
    changes = head.changes as Change[];
    showMap();
    tell('record');
  } else if (head.kind === 'orders') told.value = head.orders as Told[];
  else if (head.kind === 'refused') words.value = failureText(head as unknown as Failure);
  else if (head.kind === 'counters') {
    ended.value = (head.ended as string | null) ?? '';
    if (ended.value !== '') clock.playing.value = false;
  } else if (head.kind === 'done' || head.kind === 'failed') clock.playing.value = false;
}

pane.listeners.add(heard);

// A frame that was drawn lets the server send the next one.
clock.onFrame(() => {
  if (drawn < 0 || pane.job === null) return;
  store.client.shown(pane.job, drawn);
  drawn = -1;
});
