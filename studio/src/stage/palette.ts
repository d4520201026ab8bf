// Colours: eight that everybody can tell apart (M. Okabe and K. Ito, "Color Universal Design", 2008), ramps, terrain.
// They are those of `anabasis.view.palette`, and darker ones for dark pages.

export type Colour = [number, number, number, number];
export type Theme = 'light' | 'dark';

export const GROUPS: Colour[] = [
  [0, 114, 178, 255],
  [213, 94, 0, 255],
  [0, 158, 115, 255],
  [204, 121, 167, 255],
  [230, 159, 0, 255],
  [86, 180, 233, 255],
  [34, 36, 40, 255],
  [240, 228, 66, 255],
];

/** A group's colour on a page's ground: black would not be seen on a dark one. */
export const shaded = (colour: Colour, theme: Theme): Colour => (theme === 'dark' && colour === GROUPS[6] ? [210, 212, 216, 255] : colour);

export const STATES: { name: string; colour: Colour }[] = [
  { name: 'moving', colour: GROUPS[0] },
  { name: 'lost', colour: GROUPS[1] },
  { name: 'arrived', colour: GROUPS[2] },
  { name: 'removed', colour: GROUPS[3] },
];

interface Ground {
  page: Colour;
  free: Colour;
  wall: Colour;
  price: Colour;
  ink: Colour;
  letters: Record<string, Colour>;
}

const light: Ground = {
  page: [226, 224, 218, 255],
  free: [245, 243, 238, 255],
  wall: [92, 97, 105, 255],
  price: [166, 118, 62, 255],
  ink: [34, 36, 40, 255],
  letters: {
    G: [218, 231, 192, 255],
    S: [205, 208, 160, 255],
    W: [168, 204, 226, 255],
    T: [142, 178, 140, 255],
    ',': [243, 229, 186, 255],
    '^': [152, 146, 142, 255],
    '*': [224, 233, 247, 255],
    d: [240, 215, 150, 255],
    j: [170, 208, 146, 255],
    t: [211, 208, 190, 255],
    i: [203, 230, 236, 255],
    f: [186, 208, 170, 255],
    h: [216, 198, 158, 255],
    '=': [208, 164, 120, 255],
    '+': [158, 122, 98, 255],
    '~': [182, 218, 218, 255],
  },
};

const darker = (colour: Colour): Colour => [0, 1, 2].map((k) => Math.round(colour[k] * 0.42 + 6)).concat(255) as Colour;

const dark: Ground = {
  page: [20, 22, 26, 255],
  free: [48, 51, 57, 255],
  wall: [116, 122, 132, 255],
  price: [176, 128, 72, 255],
  ink: [236, 236, 232, 255],
  letters: Object.fromEntries(Object.entries(light.letters).map(([letter, colour]) => [letter, darker(colour)])),
};

export const ground = (theme: Theme): Ground => (theme === 'dark' ? dark : light);

const PAPER: Colour = [255, 255, 255, 255];

/** The colours of light pages that mean the same as others do on dark ones. */
const TURNED: [Colour, Colour][] = [
  [light.ink, dark.ink],
  [light.free, dark.free],
  [PAPER, dark.free],
  [light.wall, dark.wall],
  [light.price, dark.price],
  ...Object.keys(light.letters).map((letter): [Colour, Colour] => [light.letters[letter], dark.letters[letter]]),
];

const faded = (colour: Colour, opacity = 255): Colour => [colour[0], colour[1], colour[2], opacity];

/** The colour of a line, a disc or a plate as it is drawn: on a dark page ink is light, and paper is dark. */
export function inked(colour: Colour, theme: Theme): Colour {
  if (theme === 'light') return colour;
  const found = TURNED.find(([from]) => from[0] === colour[0] && from[1] === colour[1] && from[2] === colour[2]);
  return found === undefined ? colour : faded(found[1], colour[3]);
}

/** The colour of an area: on a dark page as dark as terrain is there. */
export function dimmed(colour: Colour, theme: Theme): Colour {
  const turned = inked(colour, theme);
  return theme === 'light' || turned !== colour ? turned : faded(darker(colour), colour[3]);
}

/** Ink that can be read on a colour. */
export const inkOn = ([red, green, blue]: Colour): Colour => (0.299 * red + 0.587 * green + 0.114 * blue > 140 ? light.ink : PAPER);

/** A colour for each code of a terrain letter, 256 times red, green, blue, opacity. */
export function terrainTable(theme: Theme): Uint8Array {
  const { free, wall, price, letters } = ground(theme);
  const table = new Uint8Array(256 * 4);
  const put = (letter: string, colour: Colour) => table.set(colour, 4 * letter.charCodeAt(0));
  for (let code = 0; code < 256; code++) table.set(wall, 4 * code);
  for (const letter of '.E1') put(letter, free);
  for (let digit = 2; digit <= 9; digit++) put(`${digit}`, mixed(free, price, 0.15 + (0.75 * (digit - 2)) / 7));
  for (const [letter, colour] of Object.entries(letters)) put(letter, colour);
  return table;
}

export function mixed(a: Colour, b: Colour, share: number): Colour {
  return [0, 1, 2, 3].map((k) => Math.round(a[k] + share * (b[k] - a[k]))) as Colour;
}

/** From slow or early (pale yellow) over green to blue. */
export function ramp(share: number): Colour {
  const stops: Colour[] = [
    [244, 236, 156, 255],
    [126, 196, 118, 255],
    [0, 140, 140, 255],
    [38, 60, 132, 255],
  ];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return mixed(stops[k], stops[k + 1], at - k);
}

export const css = (colour: Colour | number[]) =>
  `rgb(${colour[0]} ${colour[1]} ${colour[2]} / ${((colour[3] ?? 255) / 255).toFixed(3)})`;
