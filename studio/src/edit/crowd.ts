// Units: where there is room for them, and how many are put into an area.
import { round, type Cells, type Group, type Place } from '../draft';
import { middleOf } from './paint';
import type { Prices } from './terrain';

export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Of a disc: its middle and radius; without it the area is the rectangle. */
  disc?: { x: number; y: number; radius: number };
}

const SLACK = 1e-6; // two that touch don't overlap
const PRECISE = 24; // halvings of the gap between units
const MOST = 10_000; // units put into an area at once, if no number is said
const WIDEST = 400; // places in a row, so that a drag over a large map stays quick

export function rectangle(a: Place, b: Place): Area {
  return { x0: Math.min(a[0], b[0]), y0: Math.min(a[1], b[1]), x1: Math.max(a[0], b[0]), y1: Math.max(a[1], b[1]) };
}

export function disc([x, y]: Place, radius: number): Area {
  return { x0: x - radius, y0: y - radius, x1: x + radius, y1: y + radius, disc: { x, y, radius } };
}

/** Whether a unit in a place lies on the map and touches no cell where it can't stand. */
export function clear(cells: Cells, prices: Prices, [x, y]: Place, radius: number): boolean {
  if (x - radius < -SLACK || y - radius < -SLACK || x + radius > cells.width + SLACK || y + radius > cells.height + SLACK) return false;
  for (let row = Math.floor(y - radius); row <= Math.floor(y + radius); row++) {
    for (let column = Math.floor(x - radius); column <= Math.floor(x + radius); column++) {
      if (row < 0 || column < 0 || row >= cells.height || column >= cells.width) continue;
      if (prices(cells.terrain[row * cells.width + column]) !== null) continue;
      const far = Math.hypot(x - Math.min(Math.max(x, column), column + 1), y - Math.min(Math.max(y, row), row + 1));
      if (far < radius - SLACK) return false;
    }
  }
  return true;
}

/** Units that stand somewhere, found by their places. */
export class Crowd {
  private readonly boxes = new Map<number, number[]>();
  private readonly units: { place: Place; radius: number }[] = [];
  private readonly side: number;

  constructor(groups: Group[], least = 0.5) {
    this.side = 2 * Math.max(least, ...groups.map((group) => group.radius));
    for (const group of groups) for (const place of group.positions) this.add(place, group.radius);
  }

  add(place: Place, radius: number): void {
    const key = this.key(place[0], place[1]);
    const box = this.boxes.get(key);
    if (box === undefined) this.boxes.set(key, [this.units.length]);
    else box.push(this.units.length);
    this.units.push({ place, radius });
  }

  /** Whether a unit in a place overlaps nobody. A unit is never wider than the side of a box. */
  free([x, y]: Place, radius: number): boolean {
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1]) {
        for (const k of this.boxes.get(this.key(x + dx * this.side, y + dy * this.side)) ?? []) {
          const other = this.units[k];
          if (Math.hypot(other.place[0] - x, other.place[1] - y) < other.radius + radius - SLACK) return false;
        }
      }
    }
    return true;
  }

  private key(x: number, y: number): number {
    return Math.floor(y / this.side) * 0x100000 + Math.floor(x / this.side);
  }
}

interface Standing {
  cells: Cells;
  prices: Prices;
  /** Those who are there; null if units may overlap. */
  crowd: Crowd | null;
  radius: number;
}

/** Where units of an area stand: `count` of them spread over it, or as many as have room if that is null. */
export function placed(area: Area, count: number | null, standing: Standing): Place[] {
  const { cells, prices, crowd, radius } = standing;
  const fits = (place: Place) => within(area, place) && clear(cells, prices, place, radius) && (crowd === null || crowd.free(place, radius));
  if (count !== null && crowd === null) return scattered(area, count, fits);
  const touching = 2 * radius * 1.02;
  if (count === null) return rows(area, touching, radius).filter(fits).slice(0, MOST);
  // The widest gap at which there are places for all: halved until there are, then closer and closer to it.
  const [width, height] = [area.x1 - area.x0, area.y1 - area.y0];
  let far = Math.max(width, height);
  let near = Math.max(touching, Math.sqrt((width * height) / count));
  let best = rows(area, near, radius).filter(fits);
  while (best.length < count && near > touching) {
    [near, far] = [Math.max(touching, near / 2), near];
    best = rows(area, near, radius).filter(fits);
  }
  if (best.length < count) return best;
  for (let k = 0; k < PRECISE && far - near > 0.01; k++) {
    const gap = (near + far) / 2;
    const found = rows(area, gap, radius).filter(fits);
    if (found.length >= count) [near, best] = [gap, found];
    else far = gap;
  }
  return best.slice(0, count);
}

function within({ disc: round_ }: Area, [x, y]: Place): boolean {
  return round_ === undefined || Math.hypot(x - round_.x, y - round_.y) <= round_.radius + SLACK;
}

/** Places in rows over an area, `gap` apart, from its middle outward. */
function rows({ x0, y0, x1, y1, disc: round_ }: Area, gap: number, radius: number): Place[] {
  const [width, height] = [x1 - x0 - (round_ ? 0 : 2 * radius), y1 - y0 - (round_ ? 0 : 2 * radius)];
  const across = Math.min(WIDEST, Math.max(0, Math.floor(width / gap + SLACK)));
  const down = Math.min(WIDEST, Math.max(0, Math.floor(height / gap + SLACK)));
  const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const places: Place[] = [];
  for (let j = 0; j <= down; j++) {
    for (let i = 0; i <= across; i++) {
      places.push([round(middleX + (i - across / 2) * gap), round(middleY + (j - down / 2) * gap)]);
    }
  }
  const far = ([x, y]: Place) => Math.hypot(x - middleX, y - middleY);
  return places.sort((a, b) => far(a) - far(b));
}

/** Places by chance, one above another if it so happens. The same area and number give the same places. */
function scattered({ x0, y0, x1, y1 }: Area, count: number, fits: (place: Place) => boolean): Place[] {
  const chance = dice(count);
  const places: Place[] = [];
  for (let tries = 0; places.length < count && tries < 50 * count; tries++) {
    const place: Place = [round(x0 + chance() * (x1 - x0)), round(y0 + chance() * (y1 - y0))];
    if (fits(place)) places.push(place);
  }
  return places;
}

/** The place nearest to another one, among the middles of cells, that fits; null if there is none. */
export function nearestRoom(cells: Cells, fits: (place: Place) => boolean, from: Place): Place | null {
  const [x, y] = [Math.min(Math.max(from[0], 0), cells.width - 0.5), Math.min(Math.max(from[1], 0), cells.height - 0.5)];
  const [column, row] = middleOf([x, y]);
  let best: Place | null = null;
  let least = Infinity;
  for (let ring = 0; ring <= Math.max(cells.width, cells.height) && ring - 1 <= least; ring++) {
    for (let dy = -ring; dy <= ring; dy++) {
      for (let dx = -ring; dx <= ring; dx += Math.abs(dy) === ring ? 1 : 2 * Math.max(ring, 1)) {
        const place: Place = [column + dx, row + dy];
        const far = Math.hypot(place[0] - from[0], place[1] - from[1]);
        if (far < least && fits(place)) [best, least] = [place, far];
      }
    }
  }
  return best;
}

/** Numbers from 0 to 1 by a seed: mulberry32, by T. Ettinger. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
