import { describe, expect, it } from 'vitest';
import { turned } from '../src/bindings';

describe('offsets of spots', () => {
  it.each([
    ['north', -Math.PI / 2, [1, 2]],
    ['east', 0, [-2, 1]],
    ['south', Math.PI / 2, [-1, -2]],
    ['west', Math.PI, [2, -1]],
  ])('turn with a leader that heads to the %s', (_, heading, place) => {
    const [x, y] = turned([1, 2], heading as number);
    expect(x).toBeCloseTo((place as number[])[0]);
    expect(y).toBeCloseTo((place as number[])[1]);
  });
});
