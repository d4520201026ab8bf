// What stands on the map: letters as codes, what a step onto them costs, who can stand there.
import type { Tables } from '../tables';

export const GROUND = '.'.charCodeAt(0);
export const WALL = '@'.charCodeAt(0);

/** The price of a step onto a letter; null where nobody of a movement class can stand. */
export type Prices = (code: number) => number | null;

/** The prices of a movement class, or of one that is written as prices, such as `G.:1 f:2.5`. */
export function pricesOf(tables: Tables | null, movement: string | undefined): Prices {
  const name = movement || 'land';
  if (name.includes(':')) {
    const known = written(name);
    return (code) => known.get(code) ?? null;
  }
  if (tables === null || !tables.movements.includes(name)) {
    return (code) => ('@#OTW^*'.includes(String.fromCharCode(code)) ? null : 1); // until the server has said it
  }
  return (code) => tableOf(tables, name)[code] ?? null;
}

const made = new WeakMap<Tables, Map<string, (number | null)[]>>();

/** The prices of a class by code, made once. */
function tableOf(tables: Tables, name: string): (number | null)[] {
  let classes = made.get(tables);
  if (classes === undefined) made.set(tables, (classes = new Map()));
  let found = classes.get(name);
  if (found === undefined) {
    found = [];
    for (const { letter, prices } of tables.terrain) found[letter.charCodeAt(0)] = prices?.[name] ?? null;
    classes.set(name, found);
  }
  return found;
}

function written(text: string): Map<number, number> {
  const prices = new Map<number, number>();
  for (const word of text.split(/\s+/)) {
    const at = word.lastIndexOf(':');
    for (const letter of word.slice(0, Math.max(at, 0))) prices.set(letter.charCodeAt(0), Number(word.slice(at + 1)));
  }
  return prices;
}

/** What a letter is called. */
export function nameOf(tables: Tables | null, code: number): string {
  const letter = String.fromCharCode(code);
  return tables?.terrain.find((row) => row.letter === letter)?.name ?? letter;
}
