// A game in turns: the server has the session and draws it, the page says what is to be done.
import { effect, signal } from '@preact/signals';
import { failureText, type Failure } from '../client';
import * as clock from '../clock';
import { cellsOf, type Place } from '../draft';
import { toView } from '../stage/camera';
import { css, ground, GROUPS } from '../stage/palette';
import * as store from '../store';
import type { Message } from '../wire';
import { middleOf, type Game } from './game';

export const pane = store.actors.turns!;
pane.shown.value = new Set(['turns']);

export const game = signal<Game | null>(null);
/** Name of the chosen unit, empty if there is none. */
export const chosen = signal('');
/** The last thing that happened, or why something did not. */
export const words = signal('');
/** How a new game is played. */
export const rules = signal({ neighbours: 4, steps: false, points: 2 });
/** Whether what the chosen unit's search knows is written on the tiles. */
export const numbers = signal(true);

function start(args: Record<string, unknown>): void {
  chosen.value = '';
  words.value = '';
  game.value = null;
  store.camera.value = null;
  clock.playing.value = false;
  clock.time.value = clock.end.value = clock.final.value = 0;
  pane.start(store.client, 'turns', store.draft.value, args);
}

/** Play on the map of the draft, with its agents. */
export const begin = () => start({ ...rules.value });

/** Play on a map that is made from a seed. */
export function beginRandom(seed: number): void {
  const { neighbours, steps, points } = rules.value;
  start({ draft: undefined, new: { seed, neighbours, turns: !steps, points } });
}

function tell(say: string, told: Record<string, unknown> = {}): void {
  if (pane.job !== null) store.client.tell(pane.job, say, told);
}

const show = () => tell('show', { unit: numbers.value && chosen.value !== '' ? chosen.value : null });

export function choose(name: string): void {
  chosen.value = name;
  show();
}

export function showNumbers(on: boolean): void {
  numbers.value = on;
  show();
}

export const order = (to: Place) => tell('order', { unit: chosen.value, to });
export const halt = () => tell('halt', { unit: chosen.value });
export const remove = () => tell('remove', { unit: chosen.value });
export const endTurn = () => tell('end');
export const change = (tiles: Place[], terrain: string) => tell('tile', { tiles, terrain });
export const feature = (tiles: Place[], name: string) => tell('tile', { tiles, feature: name });
export const add = (at: Place, points: number) => tell('add', { at, points });
export const undo = () => tell('undo');
export const redo = () => tell('redo');

export const driver: clock.Driver = {
  play: () => void (clock.playing.value = game.value !== null),
  pause: () => void (clock.playing.value = false),
  seek: () => {},
  step(by) {
    clock.playing.value = false;
    if (by > 0) endTurn();
    else undo();
  },
};

const PAUSE = 600; // ms between two turns that are played
let ended = 0;

// While the clock plays, turns end by themselves until nobody has an order any more.
clock.onFrame(() => {
  if (!clock.playing.value || clock.driver.value !== driver || performance.now() - ended < PAUSE) return;
  ended = performance.now();
  if (game.value?.units.some((unit) => unit.goal !== null)) endTurn();
  else clock.playing.value = false;
});

function heard({ head }: Message): void {
  if (head.kind === 'turns') {
    const now = head as unknown as Game;
    game.value = now;
    if (!now.units.some((unit) => unit.name === chosen.value)) chosen.value = '';
    words.value = now.log.map(([, text]) => text).join('; ');
    const map = cellsOf(now.terrain.join('\n'));
    if (map !== pane.cells.value) pane.cells.value = map;
    if (clock.driver.value === driver) enter();
  } else if (head.kind === 'refused') words.value = failureText(head as unknown as Failure);
  else if (head.kind === 'done' || head.kind === 'failed') clock.playing.value = false;
}

pane.listeners.add(heard);

/** Show the turn at which the game stands. */
export function enter(): void {
  clock.time.value = clock.end.value = clock.final.value = game.value?.turn ?? 0;
}

const LEAST = 9; // pixels of a unit's radius: on large maps units are larger than their tiles
const MOST = 200; // units that are drawn so large

// The server's picture has units in their size; here are those that would be too small, and the chosen one.
pane.marks = (context, camera, view) => {
  const now = game.value;
  if (now === null) return;
  const radius = Math.max(0.36 * camera.scale, LEAST);
  const large = 0.36 * camera.scale < LEAST && now.units.length <= MOST;
  const { ink, free } = ground(store.theme.value);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `600 ${radius}px system-ui, sans-serif`;
  for (const unit of now.units) {
    const mine = unit.name === chosen.value;
    if (!large && !mine) continue;
    const [x, y] = toView(camera, view, middleOf(now, unit.at));
    context.beginPath();
    context.arc(x, y, mine ? radius + 1.5 : radius, 0, 2 * Math.PI);
    context.fillStyle = css(free);
    if (large) context.fill();
    context.lineWidth = mine ? 4 : 1.5;
    context.strokeStyle = mine ? css(GROUPS[1]) : css(ink);
    context.stroke();
    context.fillStyle = css(ink);
    if (large) context.fillText(unit.name, x, y + 0.5);
  }
};

effect(() => {
  void [game.value, chosen.value];
  clock.redraw();
});
