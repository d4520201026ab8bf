// Places of formations' shapes, as the server lays them out; asked for once for each shape, number and area.
import { redraw } from '../clock';
import type { Place } from '../draft';
import * as store from '../store';

const known = new Map<string, Place[]>();
/**
 * Places for a march to the north, the leader at (0, 0), at spacing 1 or so as to fill an area; only the leader's until the
 * server has answered.
 */
export function shapePlaces(shape: string, units: number, area?: Place): Place[] {
  const key = `${shape} ${units} ${area ?? ''}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const alone: Place[] = [[0, 0]];
  known.set(key, alone);
  store.client.start('shape', { shape, units, area }, ({ head, arrays }) => {
    if (head.kind !== 'shape') return;
    const { values } = arrays.places;
    known.set(key, Array.from({ length: values.length / 2 }, (_, k): Place => [values[2 * k], values[2 * k + 1]]));
    redraw();
  });
  return alone;
}
