// Directions of formations, and where they are ordered to.
import type { Formation, Place } from '../draft';

/** Azimuth of a move, in degrees clockwise from north. */
export const azimuthOf = (from: Place, to: Place) => Math.round((Math.atan2(to[0] - from[0], from[1] - to[1]) * 180) / Math.PI + 360) % 360;

/** Spots as places with the leader, who is the commander of itself, at (0, 0). */
export function seenFromLeader(spots: Place[], commander: number[]): Place[] {
  const [x, y] = spots.find((_, k) => commander[k] === k) ?? [0, 0];
  return spots.map((spot): Place => [spot[0] - x, spot[1] - y]);
}

/** How many units a formation has. */
export const sizeOf = ({ units, spots }: Formation) => units ?? spots?.length ?? 0;

export const titleOf = (formation: Formation) => String(formation.name || formation.shape || 'spots');

/** Places of a shape that marches to the north, turned to an azimuth, at a place. */
export function turned(places: Place[], azimuth: number, [x, y]: Place, spacing: number): Place[] {
  const [c, s] = [Math.cos((azimuth * Math.PI) / 180), Math.sin((azimuth * Math.PI) / 180)];
  return places.map(([dx, dy]) => [x + spacing * (c * dx - s * dy), y + spacing * (s * dx + c * dy)]);
}

/** Give a formation a place to go: the target, or one more on its way. */
export function ordered(formation: Formation, place: Place, more: boolean): Formation {
  const places = more ? [...(formation.order[0]?.places ?? []), place] : [place];
  return { ...formation, order: [{ ...formation.order[0], places }] };
}

/** A formation with one more order at a time (seconds), or one more place for the order of that time; later ones are gone. */
export function sent(formation: Formation, place: Place, time: number, more: boolean): Formation {
  const at = (order: Formation['order'][number]) => order.time ?? 0;
  const before = formation.order.filter((order) => at(order) < time);
  const same = formation.order.find((order) => at(order) === time);
  const places = more && same !== undefined ? [...same.places, place] : [place];
  return { ...formation, order: [...before, { ...same, places, time }] };
}
