// Small drawings of the editing tools, in pixels of the view.
import type { Place } from '../draft';
import { css, type Colour } from '../stage/palette';
import type { Area } from './crowd';
import type { Sheet } from './pointing';

/** Outline of cells, such as those under the brush: only the sides that no other of them has. */
export function outlined({ context, at, scale }: Sheet, cells: Place[], fill: string): void {
  const inside = new Set(cells.map(([x, y]) => `${x} ${y}`));
  const sides: [Place, Place][] = [];
  context.fillStyle = fill;
  for (const [x, y] of cells) {
    const [px, py] = at([x, y]);
    context.fillRect(px, py, scale, scale);
    if (!inside.has(`${x} ${y - 1}`)) sides.push([[x, y], [x + 1, y]]);
    if (!inside.has(`${x} ${y + 1}`)) sides.push([[x, y + 1], [x + 1, y + 1]]);
    if (!inside.has(`${x - 1} ${y}`)) sides.push([[x, y], [x, y + 1]]);
    if (!inside.has(`${x + 1} ${y}`)) sides.push([[x + 1, y], [x + 1, y + 1]]);
  }
  context.beginPath();
  for (const [a, b] of sides) {
    context.moveTo(...at(a));
    context.lineTo(...at(b));
  }
  twoToned(context);
}

/** Stroke the path that is there, dark on light, so that it is seen on any ground. */
export function twoToned(context: CanvasRenderingContext2D): void {
  context.lineWidth = 3;
  context.strokeStyle = 'rgb(255 255 255 / 0.8)';
  context.stroke();
  context.lineWidth = 1.25;
  context.strokeStyle = 'rgb(20 22 26)';
  context.stroke();
}

export function area({ context, at, scale }: Sheet, { x0, y0, x1, y1, disc }: Area): void {
  context.beginPath();
  if (disc) context.arc(...at([disc.x, disc.y]), disc.radius * scale, 0, 2 * Math.PI);
  else context.rect(...at([x0, y0]), (x1 - x0) * scale, (y1 - y0) * scale);
  context.setLineDash([5, 4]);
  twoToned(context);
  context.setLineDash([]);
}

/** Discs of units. */
export function units({ context, at, scale }: Sheet, places: Place[], radius: number, colour: Colour, opacity = 0.75): void {
  context.globalAlpha = opacity;
  context.fillStyle = css(colour);
  context.beginPath();
  for (const place of places) {
    const [x, y] = at(place);
    const r = Math.max(radius * scale, 1.5);
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
  }
  context.fill();
  context.globalAlpha = 1;
}

/** A few words beside the pointer. */
export function words({ context, at }: Sheet, place: Place, text: string): void {
  const [x, y] = at(place);
  context.font = '600 12px system-ui, sans-serif';
  context.textAlign = 'start';
  context.textBaseline = 'middle';
  const width = context.measureText(text).width;
  context.fillStyle = 'rgb(20 22 26 / 0.85)';
  context.beginPath();
  context.roundRect(x + 12, y - 24, width + 12, 20, 4);
  context.fill();
  context.fillStyle = 'white';
  context.fillText(text, x + 18, y - 14);
}

/** A line from one place to another, with a head at its end. */
export function arrow({ context, at }: Sheet, from: Place, to: Place, colour: string, width = 2): void {
  const [x0, y0] = at(from);
  const [x1, y1] = at(to);
  const turn = Math.atan2(y1 - y0, x1 - x0);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  if (Math.hypot(x1 - x0, y1 - y0) < 4) return;
  context.beginPath();
  context.moveTo(x1, y1);
  for (const side of [-0.45, 0.45]) context.lineTo(x1 - 10 * Math.cos(turn + side), y1 - 10 * Math.sin(turn + side));
  context.fill();
}
