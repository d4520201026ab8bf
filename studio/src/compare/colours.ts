// The colours of the contestants, by their number.
import { GROUPS, type Colour, type Theme } from '../stage/palette';

const PALE: Colour = [210, 212, 216, 255];
const OLIVE: Colour = [138, 128, 0, 255];

/** Yellow can't be seen on white, nor black on black. */
export function colourOf(number: number, theme: Theme): Colour {
  const k = number % GROUPS.length;
  if (k === 6 && theme === 'dark') return PALE;
  if (k === 7 && theme === 'light') return OLIVE;
  return GROUPS[k];
}
