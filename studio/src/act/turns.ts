// A game in turns: the server has the session, the page shows it and says what is to be done.
import { effect, signal } from '@preact/signals';
import { failureText, type Failure } from '../client';
import * as clock from '../clock';
import type { Place } from '../draft';
import { toView, type Camera, type Size } from '../stage/camera';
import { css, GROUPS } from '../stage/palette';
import * as store from '../store';
import type { Message } from '../wire';
import { tileNumber, tileScene, middleOf, type Game, type Touched } from './game';
import { gameOf, touchedOf, WORDS } from './session';

export const pane = store.actors.turns!;
pane.shown.value = new Set(['tiles']);

export const game = signal<Game | null>(null);
/** What the search of the chosen unit knows. */
export const touched = signal<Touched | null>(null);
/** Name of the chosen unit, empty if there is none. */
export const chosen = signal('');
/** The last thing that was understood, or why it was not. */
export const words = signal('');
export const neighbours = signal(4);
/** A unit goes as far as its points allow in each turn; if not, one tile whatever it costs. */
export const byPoints = signal(true);
export const numbers = signal(true);

export function begin(random: Record<string, number> | null = null): void {
  chosen.value = '';
  words.value = '';
  touched.value = null;
  game.value = null;
  const rules = { neighbours: neighbours.value, turns: byPoints.value };
  pane.start(store.client, 'turns', store.draft.value, random === null ? rules : { ...rules, random });
}

function tell(say: string, told: Record<string, unknown> = {}): void {
  if (pane.job !== null) store.client.tell(pane.job, say, told);
}

export function choose(name: string): void {
  chosen.value = name;
  touched.value = null;
  tell(...WORDS.show(name));
}

const place = (tile: number): Place => [tile % game.value!.width, Math.floor(tile / game.value!.width)];

export const order = (tile: number) => tell(...WORDS.order(chosen.value, place(tile)));
export const halt = () => tell(...WORDS.halt(chosen.value));
export const endTurn = () => tell(...WORDS.endTurn());
export const change = (tiles: number[], terrain: string) => tell(...WORDS.change(tiles.map(place), terrain));
export const add = (name: string, tile: number, points: number) => tell(...WORDS.add(name, place(tile), points));

export function remove(): void {
  tell(...WORDS.remove(chosen.value));
  chosen.value = '';
  touched.value = null;
}

export const driver: clock.Driver = {
  play: () => void (clock.playing.value = game.value !== null),
  pause: () => void (clock.playing.value = false),
  seek: () => {},
  step: (by) => {
    clock.playing.value = false;
    if (by > 0) endTurn();
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

function heard(message: Message): void {
  const { head } = message;
  const now = gameOf(message);
  if (now !== null) {
    game.value = now;
    clock.time.value = clock.end.value = clock.final.value = now.turn;
    if (chosen.value !== '' && !now.units.some((unit) => unit.name === chosen.value)) chosen.value = '';
    pane.scenes.value = new Map(pane.scenes.value).set('tiles', tileScene(now));
    const [turn, text] = now.log.at(-1) ?? [-1, ''];
    words.value = turn === now.turn ? text : '';
  }
  const known = touchedOf(message);
  if (known !== undefined) touched.value = known;
  if (head.kind === 'refused') words.value = failureText(head as unknown as Failure);
  if (head.kind === 'done' || head.kind === 'failed') clock.playing.value = false;
}

pane.listeners.add(heard);

export function enter(): void {
  clock.time.value = clock.end.value = clock.final.value = game.value?.turn ?? 0;
}

const WHITE = 'rgb(255 255 255)';
const INK = 'rgb(34 36 40)';
const LEAST_TEXT = 8; // pixels

pane.marks = (context, camera, view) => {
  const now = game.value;
  if (now === null) return;
  drawWays(context, camera, view, now);
  drawGoals(context, camera, view, now);
  if (numbers.value) drawNumbers(context, camera, view, now);
  drawUnits(context, camera, view, now);
};

function drawWays(context: CanvasRenderingContext2D, camera: Camera, view: Size, now: Game): void {
  context.strokeStyle = INK;
  context.globalAlpha = 0.5;
  now.units.forEach((unit, k) => {
    if (unit.tiles.length === 0) return;
    // Ways that lie on each other are spread a little.
    const aside = 0.2 * ((k * 0.618) % 1);
    context.lineWidth = unit.name === chosen.value ? 3 : 1.5;
    context.beginPath();
    for (const tile of [unit.place, ...unit.tiles]) {
      const [x, y] = middleOf(now, tile);
      context.lineTo(...toView(camera, view, [x + aside, y + aside]));
    }
    context.stroke();
  });
  context.globalAlpha = 1;
}

function drawGoals(context: CanvasRenderingContext2D, camera: Camera, view: Size, now: Game): void {
  const size = 0.36 * camera.scale;
  if (size < LEAST_TEXT) return;
  context.font = `600 ${size.toFixed(1)}px system-ui, sans-serif`;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillStyle = INK;
  for (const { name, goal } of now.units) {
    if (goal === null) continue;
    const [x, y] = middleOf(now, goal);
    context.fillText(name, ...toView(camera, view, [x + 0.43, y + 0.43]));
  }
}

/** "cost, g, rhs" on the tiles that the chosen unit's search has touched. */
function drawNumbers(context: CanvasRenderingContext2D, camera: Camera, view: Size, now: Game): void {
  const known = touched.value;
  const size = 0.2 * camera.scale;
  if (known === null || size < LEAST_TEXT) return;
  const taken = new Set(now.units.map((unit) => unit.place));
  context.font = `${size.toFixed(1)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = INK;
  known.vertices.forEach((tile, k) => {
    if (taken.has(tile)) return;
    const [x, y] = toView(camera, view, middleOf(now, tile));
    if (x < -camera.scale || y < -camera.scale || x > view.width + camera.scale || y > view.height + camera.scale) return;
    const text = [known.price[k], known.g[k], known.rhs[k]].map(tileNumber).join(', ');
    context.fillText(text, x, y, 0.96 * camera.scale);
  });
}

function drawUnits(context: CanvasRenderingContext2D, camera: Camera, view: Size, now: Game): void {
  const radius = Math.max(0.36 * camera.scale, 2);
  const size = 0.4 * camera.scale;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `600 ${size.toFixed(1)}px system-ui, sans-serif`;
  for (const unit of now.units) {
    const [x, y] = toView(camera, view, middleOf(now, unit.place));
    const mine = unit.name === chosen.value;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = WHITE;
    context.fill();
    context.lineWidth = mine ? 4 : 1.5;
    context.strokeStyle = mine ? css(GROUPS[1]) : INK;
    context.stroke();
    context.fillStyle = INK;
    if (size >= LEAST_TEXT) context.fillText(unit.name, x, y + 0.5);
  }
}

effect(() => {
  void [game.value, touched.value, chosen.value, numbers.value];
  clock.redraw();
});

