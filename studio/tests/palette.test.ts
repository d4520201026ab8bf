import { describe, expect, it } from 'vitest';
import { dimmed, ground, GROUPS, inked, inkOn, type Colour } from '../src/stage/palette';

const light = ([red, green, blue]: Colour) => 0.299 * red + 0.587 * green + 0.114 * blue;

describe('colours of scenes on a dark page', () => {
  const { ink, free } = ground('dark');

  it('turns ink and paper over, with their opacity', () => {
    expect(inked([34, 36, 40, 128], 'dark')).toEqual([...ink.slice(0, 3), 128]);
    expect(inked([255, 255, 255, 217], 'dark')).toEqual([...free.slice(0, 3), 217]);
    expect(inked([245, 243, 238, 230], 'dark')).toEqual([...free.slice(0, 3), 230]);
    for (const colour of GROUPS) expect(inked(colour, 'light')).toEqual(colour);
  });

  it('has terrain as the map has it', () => {
    const [day, night] = [ground('light'), ground('dark')];
    for (const letter of Object.keys(day.letters)) {
      for (const tone of [inked, dimmed]) expect(tone(day.letters[letter], 'dark')).toEqual(night.letters[letter]);
    }
    expect(inked(day.price, 'dark')).toEqual(night.price);
  });

  it('darkens areas and leaves them as they are on a light page', () => {
    const pastel: Colour = [174, 228, 184, 200];
    expect(dimmed(pastel, 'light')).toEqual(pastel);
    expect(light(dimmed(pastel, 'dark'))).toBeLessThan(110);
    expect(dimmed(pastel, 'dark')[3]).toBe(200);
  });

  it('writes on every colour so that it can be read', () => {
    for (const colour of GROUPS) expect(Math.abs(light(inkOn(colour)) - light(colour))).toBeGreaterThan(90);
  });
});
