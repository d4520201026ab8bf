import { describe, expect, it } from 'vitest';
import { DRAFT, firstDraft } from '../src/draft';
import { EXAMPLES } from '../src/edit/examples';
import { misfit, type Shape } from '../src/shape';

describe('what comes from outside', () => {
  it('fits, or is told apart at the first place that does not', () => {
    const shape: Shape = { name: 'string', sizes: ['number'], 'at?': 'place', inside: { on: 'boolean' } };
    const good = { name: 'a', sizes: [1, 2.5], at: null, inside: { on: false }, more: 1 };
    expect(misfit(good, shape)).toBeNull();
    expect(misfit({ ...good, at: [1, 2] }, shape)).toBeNull();
    const wrong: [object, string][] = [
      [{ name: 3 }, 'name'],
      [{ sizes: [1, null] }, 'sizes.1'],
      [{ sizes: {} }, 'sizes'],
      [{ sizes: [Infinity] }, 'sizes.0'],
      [{ at: [1] }, 'at'],
      [{ at: [1, 'b'] }, 'at'],
      [{ inside: {} }, 'inside.on'],
      [{ inside: [] }, 'inside'],
    ];
    for (const [part, at] of wrong) expect(misfit({ ...good, ...part }, shape)).toBe(at);
    for (const none of [null, undefined, 1, 'a', []]) expect(misfit(none, shape)).toBe('');
  });

  it('is a draft as the page and its examples make them', () => {
    for (const draft of [firstDraft(), ...EXAMPLES.map((example) => example.make())]) expect(misfit(draft, DRAFT)).toBeNull();
    expect(misfit({ ...firstDraft(), formations: [{}] }, DRAFT)).toBe('formations.0.start');
    expect(misfit({ ...firstDraft(), ends: { start: [1] } }, DRAFT)).toBe('ends.start');
  });
});
