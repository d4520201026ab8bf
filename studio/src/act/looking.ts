// The tool for looking at a run: move the map, choose a unit, ask why it is there.
import { marches, send } from './marching';
import type { Tool } from '../tools';
import { pointer } from '../tools';
import { nextUnit } from './orders';
import { drawCross } from './cross';
import { ask } from './why';

export const looker: Tool = {
  ...pointer,
  name: 'look',
  right: true,
  down(touch) {
    const event = touch.event as MouseEvent;
    if (event.button !== 2) pointer.down!(touch);
    else if (marches(touch.pane)) send(touch.pane, touch.place, event.shiftKey);
  },
  move(touch) {
    const { buttons, movementX, movementY } = touch.event as PointerEvent;
    if (buttons !== 2) pointer.move!(touch);
    else if (!marches(touch.pane)) touch.pan(movementX, movementY);
  },
  up(touch) {
    if ((touch.event as MouseEvent).button !== 2) pointer.up!(touch);
  },
  key(event, touch) {
    if (event.key === 'n' || event.key === 'N') nextUnit(event.key === 'n' ? 1 : -1);
    else if (event.key === 'i') ask();
    else if (event.key === 'o' || event.key === 'O') {
      if (!marches(touch.pane)) return false;
      send(touch.pane, touch.place, event.key === 'O');
    } else if (event.key === 'Enter') pointer.up!(touch);
    else return false;
    return true;
  },
  draw: (context, _camera, view) => drawCross(context, view),
};
