import { describe, expect, it } from 'vitest';
import { heat, heatScene, ranks } from '../src/act/heat';

describe('heat', () => {
  it('goes from blue, the best, over green and yellow to red', () => {
    const [blue, red] = [heat(0), heat(1)];
    expect(blue[2]).toBeGreaterThan(2 * blue[0]);
    expect(red[0]).toBeGreaterThan(2 * red[2]);
    const [, green] = heat(1 / 3);
    expect(green).toBeGreaterThan(150);
    const [r, g, b] = heat(2 / 3);
    expect(Math.min(r, g)).toBeGreaterThan(2 * b);
  });

  it('goes by rank, and equal errors are equally coloured', () => {
    expect([...ranks([1e9, 1, 5, 1])]).toEqual([1, 0, 2 / 3, 0].map(Math.fround));
    expect([...ranks([7])]).toEqual([0]);
  });

  it('is an image that lies where the raster does', () => {
    const { head, arrays } = heatScene([4, 1, 9, 2, 3, 8], 2, 3, [5, 6, 8, 8]);
    const pixels = arrays['0.pixels'];
    expect(pixels.shape).toEqual([2, 3, 4]);
    expect((head.layers as { extent: number[] }[])[0].extent).toEqual([5, 6, 8, 8]);
    expect([...pixels.values.slice(4, 7)]).toEqual(heat(0).slice(0, 3));
    expect([...pixels.values.slice(8, 11)]).toEqual(heat(1).slice(0, 3));
  });
});
