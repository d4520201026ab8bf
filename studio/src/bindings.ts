// Who keeps to whom in a formation that marches, and where each should be as seen from its leader.
import type { Place } from './draft';
import { turned } from './edit/marching';
import type { Run } from './run';
import { toView, type Camera, type Size } from './stage/camera';
import type { Message } from './wire';

/** Draw the bindings of one formation, and a small cross where each of its units should be. */
export function drawBindings(context: CanvasRenderingContext2D, camera: Camera, view: Size, run: Run, message: Message, step: number): void {
  const { units, pairs, offsets, spots } = message.arrays;
  const k = units.values.length;
  const frame = Math.min(run.frameOf(step), spots.shape[0] - 1);
  const holder = new Map<number, number>(); // of a spot: the unit that holds it now
  for (let i = 0; i < k; i++) {
    const spot = spots.values[frame * k + i];
    if (spot >= 0) holder.set(spot, units.values[i]);
  }
  const place = (unit: number): Place => [run.moment.positions[2 * unit], run.moment.positions[2 * unit + 1]];
  context.lineWidth = 1.5;
  context.strokeStyle = 'rgb(213 94 0 / 0.8)';
  context.beginPath();
  for (let b = 0; b + 1 < pairs.values.length; b += 2) {
    const [one, other] = [holder.get(pairs.values[b]), holder.get(pairs.values[b + 1])];
    if (one === undefined || other === undefined) continue;
    context.moveTo(...toView(camera, view, place(one)));
    context.lineTo(...toView(camera, view, place(other)));
  }
  context.stroke();
  const leader = holder.get(message.head.leader as number);
  if (leader === undefined) return;
  const own = message.head.leader as number;
  const from: Place = [offsets.values[2 * own], offsets.values[2 * own + 1]];
  // Headings are radians from +x, azimuths degrees from north, both clockwise.
  const azimuth = (run.moment.headings[leader] * 180) / Math.PI + 90;
  const spotsAt: Place[] = [...holder.keys()].map((spot) => [offsets.values[2 * spot] - from[0], offsets.values[2 * spot + 1] - from[1]]);
  context.strokeStyle = 'rgb(0 114 178)';
  context.beginPath();
  for (const there of turned(spotsAt, azimuth, place(leader), 1)) {
    const [x, y] = toView(camera, view, there);
    context.moveTo(x - 4, y - 4);
    context.lineTo(x + 4, y + 4);
    context.moveTo(x - 4, y + 4);
    context.lineTo(x + 4, y - 4);
  }
  context.stroke();
}
