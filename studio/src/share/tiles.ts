// Where several stages stand in one picture, and how many pixels it has.
import type { Camera, Size } from '../stage/camera';

export interface Box extends Size {
  x: number;
  y: number;
}

const GAP = 2; // pixels

/** How many stand in a row: of two as is better for the map, of three and four two. */
export const columns = (count: number, map: Size) => (count > 2 || (count === 2 && map.height > map.width) ? 2 : 1);

export function tiles(count: number, { width, height }: Size, map: Size): Box[] {
  const across = columns(count, map);
  const rows = Math.ceil(count / across);
  const w = Math.floor((width - GAP * (across - 1)) / across);
  const h = Math.floor((height - GAP * (rows - 1)) / rows);
  return Array.from({ length: count }, (_, k) => {
    const alone = k === count - 1 && k % across === 0;
    return { x: (k % across) * (w + GAP), y: Math.floor(k / across) * (h + GAP), width: alone ? width : w, height: h };
  });
}

/** What a view of another size shows of the same: the whole of what was in sight. */
export const resized = (camera: Camera, from: Size, to: Size): Camera => ({
  ...camera,
  scale: camera.scale * Math.min(to.width / from.width, to.height / from.height),
});

/** Pixels as films want them: even, and no more than a graphics card draws. */
export const even = (value: number) => Math.min(Math.max(2 * Math.round(value / 2), 64), 4096);

const MOST_PICTURES = 300; // of a GIF
const RATES = [0.5, 50]; // pictures a second

/** How many pictures a GIF of so many seconds has, and how many a second. */
export function pictures(seconds: number): { most: number; rate: number } {
  const most = Math.min(Math.max(Math.round(20 * seconds), 2), MOST_PICTURES);
  return { most, rate: Math.min(Math.max(most / Math.max(seconds, 0.01), RATES[0]), RATES[1]) };
}
