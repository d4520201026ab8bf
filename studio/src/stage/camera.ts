// The camera: which place of the map is in the middle, and how many pixels a cell has.
import type { Place } from '../draft';

export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const LEAST = 0.02;
const MOST = 200;

const MARGIN = 24; // pixels, in views that have room for it

/** The camera that shows a whole map, with a margin around it, below what covers so many pixels of the view's top. */
export function fit(map: Size, view: Size, covered = 0): Camera {
  const margin = Math.min(MARGIN, 0.06 * Math.min(view.width, view.height));
  const top = Math.max(margin, covered);
  const scale = clamp(Math.min((view.width - 2 * margin) / map.width, (view.height - top - margin) / map.height));
  const above = Math.max((view.height - scale * map.height) / 2, top); // pixels above the map
  return { x: map.width / 2, y: (view.height / 2 - above) / scale, scale };
}

/** Zoom by a factor so that what is under the point (pixels of the view) stays there. */
export function zoom(camera: Camera, view: Size, factor: number, at: Place): Camera {
  const scale = clamp(camera.scale * factor);
  const [x, y] = toWorld(camera, view, at);
  return { x: x - (at[0] - view.width / 2) / scale, y: y - (at[1] - view.height / 2) / scale, scale };
}

/** Move by pixels, as a hand does with a sheet of paper. */
export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

export function toWorld(camera: Camera, view: Size, [px, py]: Place): Place {
  return [camera.x + (px - view.width / 2) / camera.scale, camera.y + (py - view.height / 2) / camera.scale];
}

export function toView(camera: Camera, view: Size, [x, y]: Place): Place {
  return [(x - camera.x) * camera.scale + view.width / 2, (y - camera.y) * camera.scale + view.height / 2];
}

const clamp = (scale: number) => Math.min(Math.max(scale, LEAST), MOST);
