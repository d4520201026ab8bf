// The draft: what is being edited. Values are never changed in place, so that undo is going back to the draft before.

import type { Shape } from './shape';

export type Place = [number, number];

export interface Target {
  x: number;
  y: number;
  radius: number;
}

export interface Group {
  name: string;
  positions: Place[];
  target: Target;
  radius: number;
  speed: number;
  movement?: string;
}

/** From `step` on, the cells have another terrain: doors that close or open. */
export interface Change {
  step: number;
  terrain: string;
  cells?: Place[];
  rectangle?: { x: number; y: number; width: number; height: number };
}

export interface Scenario {
  schema: 'anabasis/scenario';
  schema_version: 1;
  name: string;
  note: string;
  seed: number;
  map: { text: string; movement?: string };
  groups: Group[];
  changes: Change[];
  limits: Record<string, number>;
  steering: Record<string, number | boolean>;
}

/** Start and goal cell of one unit. */
export interface Ends {
  start: Place | null;
  goal: Place | null;
}

export interface Agent {
  start: Place;
  goal: Place;
}

/** A shape with its number of units, and a spacing or an area; or spots, each with its commander, of which the leader is its own. */
export type Formation = Record<string, unknown> & {
  shape?: string;
  units?: number;
  spacing?: number;
  area?: Place;
  spots?: Place[];
  commander?: number[];
  start: Place;
  azimuth: number;
  order: { places: Place[]; time?: number }[];
  modules: Record<string, string | number>;
};

export interface Draft {
  scenario: Scenario;
  ends: Ends;
  agents: Agent[];
  formations: Formation[];
}

const LOOK: Shape = { 'shape?': 'string', 'units?': 'number', 'spacing?': 'number', 'area?': 'place', 'spots?': ['place'], 'commander?': ['number'] };

/** What a draft from outside has to look like. Whether it makes sense is for the server to say. */
export const DRAFT: Shape = {
  scenario: {
    name: 'string',
    note: 'string',
    seed: 'number',
    map: { text: 'string', 'movement?': 'string' },
    groups: [{ name: 'string', positions: ['place'], target: { x: 'number', y: 'number', radius: 'number' }, radius: 'number', speed: 'number', 'movement?': 'string' }],
    changes: [{ step: 'number', terrain: 'string', 'cells?': ['place'], 'rectangle?': { x: 'number', y: 'number', width: 'number', height: 'number' } }],
    limits: {},
    steering: {},
  },
  ends: { 'start?': 'place', 'goal?': 'place' },
  agents: [{ start: 'place', goal: 'place' }],
  formations: [{ start: 'place', azimuth: 'number', order: [{ places: ['place'] }], modules: {}, ...LOOK }],
};

/** The cells of a draft's map: terrain letters as codes, row by row. */
export interface Cells {
  width: number;
  height: number;
  terrain: Uint8Array;
}

let lastText = '';
let lastCells: Cells | null = null;

/** The cells of a map drawn as text. The same text gives the same array, so nobody may change it. */
export function cellsOf(text: string): Cells {
  if (lastCells !== null && text === lastText) return lastCells;
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const width = rows[0]?.length ?? 0;
  const terrain = new Uint8Array(width * rows.length);
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x++) terrain[y * width + x] = row.charCodeAt(x) || 64;
  });
  lastText = text;
  lastCells = { width, height: rows.length, terrain };
  return lastCells;
}

/** A map as text, a line for each row. */
export function textOf({ width, height, terrain }: Cells): string {
  const decoder = new TextDecoder('latin1');
  const rows: string[] = [];
  for (let y = 0; y < height; y++) rows.push(decoder.decode(terrain.subarray(y * width, (y + 1) * width)));
  return rows.join('\n');
}

export function withCells(draft: Draft, cells: Cells): Draft {
  return withScenario(draft, { map: { ...draft.scenario.map, text: textOf(cells) } });
}

export function withScenario(draft: Draft, part: Partial<Scenario>): Draft {
  return { ...draft, scenario: { ...draft.scenario, ...part } };
}

export function withGroup(draft: Draft, number: number, part: Partial<Group>): Draft {
  const groups = draft.scenario.groups.map((group, k) => (k === number ? { ...group, ...part } : group));
  return withScenario(draft, { groups });
}

export function emptyMap(width: number, height: number, letter = '.'): string {
  return Array.from({ length: height }, () => letter.repeat(width)).join('\n');
}

/** Places in a rectangle of rows, `gap` apart: how units are put into an area. */
export function packed(x0: number, y0: number, x1: number, y1: number, gap: number): Place[] {
  const places: Place[] = [];
  const columns = Math.max(1, Math.floor((x1 - x0) / gap));
  const rows = Math.max(1, Math.floor((y1 - y0) / gap));
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      places.push([round(x0 + (column + 0.5) * gap), round(y0 + (row + 0.5) * gap)]);
    }
  }
  return places;
}

export const round = (value: number) => Math.round(value * 1000) / 1000;

/** What a new page shows: two rooms, a narrow door between them, and a group that has to get through. */
export function firstDraft(): Draft {
  const width = 56;
  const height = 32;
  const terrain = new Uint8Array(width * height).fill('.'.charCodeAt(0));
  const wall = '@'.charCodeAt(0);
  for (let y = 0; y < height; y++) {
    if (y < 14 || y > 16) terrain[y * width + 28] = wall;
    if (y < 6 || (y > 8 && y < 24) || y > 26) terrain[y * width + 40] = wall;
  }
  for (let x = 4; x < 20; x++) if (x < 10 || x > 13) terrain[24 * width + x] = wall;
  const group: Group = {
    name: 'blue',
    positions: packed(4, 6, 14, 16, 1.25),
    target: { x: 50, y: 16, radius: 3 },
    radius: 0.5,
    speed: 0.15,
  };
  return {
    scenario: {
      schema: 'anabasis/scenario',
      schema_version: 1,
      name: 'two doors',
      note: '',
      seed: 0,
      map: { text: textOf({ width, height, terrain }) },
      groups: [group],
      changes: [],
      limits: {},
      steering: {},
    },
    ends: { start: [8, 10], goal: [50, 16] },
    agents: [],
    formations: [],
  };
}
