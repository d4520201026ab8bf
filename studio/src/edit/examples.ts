// Drafts to begin with: one of each kind of task.
import { firstDraft, packed, textOf, type Cells, type Draft, type Group, type Scenario } from '../draft';
import type { Request } from '../pane';
import { randomAgents } from './agents';
import { dice } from './crowd';
import { GROUND, WALL } from './terrain';

export interface Example {
  name: string;
  about: string;
  request: Pick<Request, 'family' | 'method'>;
  make: () => Draft;
}

type Box = [x: number, y: number, width: number, height: number];

/** A map of ground within a wall, with boxes of a letter on it. */
function walled(width: number, height: number, boxes: Box[], letter = WALL): Cells {
  const terrain = new Uint8Array(width * height).fill(GROUND);
  const put = ([x0, y0, w, h]: Box, code: number) => {
    for (let y = y0; y < y0 + h; y++) for (let x = x0; x < x0 + w; x++) terrain[y * width + x] = code;
  };
  for (const side of [[0, 0, width, 1], [0, height - 1, width, 1], [0, 0, 1, height], [width - 1, 0, 1, height]] as Box[]) put(side, WALL);
  for (const box of boxes) put(box, letter);
  return { width, height, terrain };
}

function draftOf(name: string, note: string, map: Cells, part: Partial<Draft> & { groups?: Group[]; changes?: Scenario['changes'] } = {}): Draft {
  const { groups = [], changes = [], ...rest } = part;
  const first = firstDraft();
  const scenario = { ...first.scenario, name, note, map: { text: textOf(map) }, groups, changes };
  return { scenario, ends: { start: null, goal: null }, agents: [], formations: [], ...rest };
}

const crowd = (name: string, box: Box, target: Group['target']): Group => ({
  name,
  positions: packed(box[0], box[1], box[0] + box[2], box[1] + box[3], 1),
  target,
  radius: 0.45,
  speed: 0.15,
});

function chokepoint(): Draft {
  const map = walled(60, 32, [[30, 1, 2, 13], [30, 17, 2, 14]]);
  const groups = [crowd('crowd', [4, 8, 14, 16], { x: 52, y: 16, radius: 3 })];
  return draftOf('chokepoint', 'Everybody has to get through one door, three cells wide.', map, { groups });
}

function twoRoutes(): Draft {
  const map = walled(60, 36, [[26, 1, 8, 6], [26, 9, 8, 16], [26, 31, 8, 4]]);
  const groups = [crowd('crowd', [3, 2, 12, 12], { x: 54, y: 8, radius: 3 })];
  return draftOf('two routes', 'The short way leads through a gap two cells wide, the long way through one of six.', map, { groups });
}

function closingDoor(): Draft {
  const map = walled(56, 30, [[26, 1, 2, 5], [26, 9, 2, 12], [26, 24, 2, 5]]);
  const door = { x: 26, y: 6, width: 2, height: 3 };
  const changes = [
    { step: 160, terrain: '@', rectangle: door },
    { step: 700, terrain: '.', rectangle: door },
  ];
  const groups = [crowd('crowd', [3, 3, 10, 10], { x: 50, y: 7, radius: 3 })];
  return draftOf('closing door', 'The upper door closes while the crowd is still before it, and opens again later.', map, { groups, changes });
}

function warehouse(): Draft {
  const shelves: Box[] = [];
  for (let y = 3; y < 21; y += 3) for (let x = 5; x < 40; x += 7) shelves.push([x, y, 5, 2]);
  const map = walled(44, 24, shelves);
  const agents = randomAgents(map, (code) => (code === WALL ? null : 1), 24, 4);
  return draftOf('warehouse', 'Robots between shelves, each with a goal of its own.', map, { agents });
}

function gate(): Draft {
  const map = walled(48, 44, [[1, 20, 15, 3], [21, 20, 4, 3], [30, 20, 17, 3]]);
  const formation = {
    name: 'guard',
    shape: 'box',
    units: 16,
    spacing: 2,
    start: [23.5, 32.5] as [number, number],
    azimuth: 0,
    order: [{ places: [[23.5, 6.5]] as [number, number][] }],
    modules: { ties: 'straight', orientation: 'track' },
  };
  return draftOf('formation at a gate', 'Sixteen units in a square pass gates narrower than they are.', map, { formations: [formation] });
}

/** A maze of passages a cell wide, dug from a corner to wherever nobody has been. */
function maze(): Draft {
  const [width, height] = [61, 41];
  const map = walled(width, height, [[0, 0, width, height]]);
  const chance = dice(7);
  const trail: [number, number][] = [[1, 1]];
  map.terrain[width + 1] = GROUND;
  while (trail.length > 0) {
    const [x, y] = trail[trail.length - 1];
    const ways = [[2, 0], [-2, 0], [0, 2], [0, -2]].filter(([dx, dy]) => {
      const [a, b] = [x + dx, y + dy];
      return a > 0 && b > 0 && a < width - 1 && b < height - 1 && map.terrain[b * width + a] === WALL;
    });
    if (ways.length === 0) {
      trail.pop();
      continue;
    }
    const [dx, dy] = ways[Math.floor(chance() * ways.length)];
    map.terrain[(y + dy / 2) * width + x + dx / 2] = GROUND;
    map.terrain[(y + dy) * width + x + dx] = GROUND;
    trail.push([x + dx, y + dy]);
  }
  const ends = { start: [1, 1] as [number, number], goal: [width - 2, height - 2] as [number, number] };
  return draftOf('maze', 'One unit from corner to corner: watch what a search looks at.', map, { ends });
}

export const EXAMPLES: Example[] = [
  { name: 'chokepoint', about: 'a crowd and one door', request: { family: 'group', method: 'vector-field' }, make: chokepoint },
  { name: 'two routes', about: 'short and narrow, or long and wide', request: { family: 'group', method: 'flow-taut' }, make: twoRoutes },
  { name: 'closing door', about: 'a way that is shut on the way', request: { family: 'group', method: 'flow-replan' }, make: closingDoor },
  { name: 'warehouse', about: 'agents with goals of their own', request: { family: 'mapf', method: 'lacam' }, make: warehouse },
  { name: 'formation at a gate', about: 'a square through gates', request: { family: 'formation', method: '' }, make: gate },
  { name: 'maze', about: 'one path, step by step', request: { family: 'search', method: 'astar' }, make: maze },
];
