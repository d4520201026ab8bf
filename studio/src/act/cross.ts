// The place that keys act on: the middle of the view, marked while the map has the focus of the keyboard.
import type { Size } from '../stage/camera';
import { css, ground } from '../stage/palette';
import * as store from '../view';

const ARM = 12; // pixels
const GAP = 3;

export function drawCross(context: CanvasRenderingContext2D, view: Size): void {
  if (!document.activeElement?.matches('.stage:focus-visible')) return;
  const [x, y] = [view.width / 2, view.height / 2];
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    context.moveTo(x + GAP * dx, y + GAP * dy);
    context.lineTo(x + ARM * dx, y + ARM * dy);
  }
  for (const [width, colour] of [[4, ground(store.theme.value).page], [2, ground(store.theme.value).ink]] as const) {
    context.lineWidth = width;
    context.strokeStyle = css(colour);
    context.stroke();
  }
}
