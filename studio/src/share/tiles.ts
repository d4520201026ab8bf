// Where several stages stand in one picture, and how many pixels it has.
import type { Camera, Size } from '../stage/camera';

export interface Box extends Size {
  x: number;
  y: number;
}

const GAP = 2; // pixels

/** One beside the other for two, two rows for three and four. */
export function tiles(count: number, { width, height }: Size): Box[] {
  const columns = count > 1 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const w = Math.floor((width - GAP * (columns - 1)) / columns);
  const h = Math.floor((height - GAP * (rows - 1)) / rows);
  return Array.from({ length: count }, (_, k) => {
    const alone = k === count - 1 && k % columns === 0;
    return { x: (k % columns) * (w + GAP), y: Math.floor(k / columns) * (h + GAP), width: alone ? width : w, height: h };
  });
}

/** What a view of another size shows of the same: the whole of what was in sight. */
export const resized = (camera: Camera, from: Size, to: Size): Camera => ({
  ...camera,
  scale: camera.scale * Math.min(to.width / from.width, to.height / from.height),
});

/** Pixels as films want them: even, and no more than a graphics card draws. */
export const even = (value: number) => Math.min(Math.max(2 * Math.round(value / 2), 64), 4096);
