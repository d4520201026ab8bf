// A map of how far a formation would be out of shape: worst red, then yellow, green, best blue.
import { mixed, type Colour } from '../stage/palette';
import type { LegendItem } from '../stage/scene';
import type { Message } from '../wire';

// Their lightness differs too, for eyes that don't tell red from green.
const STOPS: Colour[] = [
  [32, 72, 176, 255],
  [86, 180, 110, 255],
  [250, 222, 96, 255],
  [190, 40, 40, 255],
];

/** A colour for each share, from 0 (best) to 1 (worst). */
export function heat(share: number): Colour {
  const at = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1);
  const k = Math.min(Math.floor(at), STOPS.length - 2);
  return mixed(STOPS[k], STOPS[k + 1], at - k);
}

const TABLE = Array.from({ length: 256 }, (_, k) => heat(k / 255));

/** How many of the values are less than each one, as a share: values may differ by many powers of ten. */
export function ranks(values: ArrayLike<number>): Float32Array {
  const n = values.length;
  const order = Uint32Array.from({ length: n }, (_, k) => k).sort((a, b) => values[a] - values[b]);
  const shares = new Float32Array(n);
  let less = 0;
  for (let k = 0; k < n; k++) {
    if (k > 0 && values[order[k]] > values[order[k - 1]]) less = k;
    shares[order[k]] = n > 1 ? less / (n - 1) : 0;
  }
  return shares;
}

export const heatLegend = (least: number, most: number): LegendItem[] => [
  {
    label: 'error if it stood there:',
    shape: 'ramp',
    colours: [0, 0.2, 0.4, 0.6, 0.8, 1].map(heat),
    low: least.toPrecision(3),
    high: most.toPrecision(3),
  },
];

/** Errors of a raster over bounds (x0, y0, x1, y1) as an overlay. */
export function heatScene(values: ArrayLike<number>, rows: number, columns: number, bounds: [number, number, number, number]): Message {
  const pixels = new Uint8Array(4 * values.length);
  let [least, most] = [Infinity, -Infinity];
  ranks(values).forEach((share, k) => {
    pixels.set(TABLE[Math.round(255 * share)], 4 * k);
    pixels[4 * k + 3] = 190;
    if (values[k] < least) least = values[k];
    if (values[k] > most) most = values[k];
  });
  const head = {
    kind: 'scene',
    job: '',
    name: 'fitness',
    title: 'fitness',
    bounds,
    legend: heatLegend(least, most),
    layers: [{ type: 'image', extent: bounds }],
  };
  return { head, arrays: { '0.pixels': { values: pixels, shape: [rows, columns, 4] } } };
}
