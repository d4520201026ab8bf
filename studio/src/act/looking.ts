// The tool for looking at a run: move the map, choose a unit, ask why it is there.
import type { Tool } from '../tools';
import { pointer } from '../tools';
import { nextUnit } from './orders';
import { drawCross } from './cross';
import { ask } from './why';

export const looker: Tool = {
  ...pointer,
  name: 'look',
  key(event, touch) {
    if (event.key === 'n' || event.key === 'N') nextUnit(event.key === 'n' ? 1 : -1);
    else if (event.key === 'i') ask();
    else if (event.key === 'Enter') pointer.up!(touch);
    else return false;
    return true;
  },
  draw: (context, _camera, view) => drawCross(context, view),
};
