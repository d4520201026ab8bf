// What stands on the map: letters as codes, what a step onto them costs, who can stand there.
import type { Tables } from '../tables';

export const GROUND = '.'.charCodeAt(0);
export const WALL = '@'.charCodeAt(0);

/** The price of a step onto a letter; null where nobody of a movement class can stand. */
export type Prices = (code: number) => number | null;

/** The prices of a movement class, or of one that is written as prices, such as `G.:1 f:2.5`. */
export function pricesOf(tables: Tables | null, movement: string | undefined): Prices {
  const name = movement || 'land';
  const known = tables?.prices?.[name] ?? (name.includes(':') ? written(name) : null);
  if (known !== null) return (code) => known[String.fromCharCode(code)] ?? null;
  return (code) => ('@#OTW^*'.includes(String.fromCharCode(code)) ? null : 1); // until the server has said it
}

function written(text: string): Record<string, number> {
  const prices: Record<string, number> = {};
  for (const word of text.split(/\s+/)) {
    const at = word.lastIndexOf(':');
    for (const letter of word.slice(0, Math.max(at, 0))) prices[letter] = Number(word.slice(at + 1));
  }
  return prices;
}

/** What a letter is called. */
export function nameOf(tables: Tables | null, code: number): string {
  const letter = String.fromCharCode(code);
  return tables?.terrain.find((row) => row.letter === letter)?.name ?? letter;
}
