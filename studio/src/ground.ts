// An empty ground for what was opened without its map.
import { cellsOf, emptyMap, type Cells } from './draft';
import type { Message } from './wire';

const MOST = 2048; // cells of a side

/** The ground that runs and pictures have room on, null where there is nothing to be seen. */
export function groundFor(messages: Message[]): Cells | null {
  let [width, height] = [0, 0];
  const reach = (x: number, y: number) => ([width, height] = [Math.max(width, x), Math.max(height, y)]);
  for (const { head, arrays } of messages) {
    if (head.kind === 'scene') {
      const [, , x, y] = head.bounds as number[];
      reach(x, y);
    } else if (head.kind === 'frames') {
      const places = arrays.positions.values;
      for (let k = 0; k < places.length; k += 2) reach(places[k] + 1, places[k + 1] + 1);
    }
  }
  if (!(width > 0 && height > 0)) return null;
  const [across, down] = [width, height].map((side) => Math.min(Math.ceil(side), MOST));
  return cellsOf(emptyMap(across, down));
}
