// The colours of the contestants, by their number.
import { GROUPS, shaded, type Colour, type Theme } from '../stage/palette';

const OLIVE: Colour = [138, 128, 0, 255];

/** Yellow can't be seen on white; black on black is what `shaded` is for. */
export function colourOf(number: number, theme: Theme): Colour {
  const k = number % GROUPS.length;
  return k === 7 && theme === 'light' ? OLIVE : shaded(GROUPS[k], theme);
}
