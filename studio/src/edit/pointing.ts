// How editing tools are moved: by a pointer with two buttons, or by keys. A tool only says what happens between the
// press and the release.
//
// Keys on the map: arrows move the cursor, a cell at a time, with Ctrl eight; Enter presses, and releases when pressed
// again, or at once for tools that dab; Ctrl+Enter and Delete are the right button; Escape gives up.
import * as clock from '../clock';
import type { Place } from '../draft';
import { toView, type Camera, type Size } from '../stage/camera';
import * as store from '../store';
import type { Tool, Touch } from '../tools';
import { middleOf } from './paint';
import { cursor } from './state';

/** A press that isn't over yet. */
export interface Drag {
  from: Place;
  to: Place;
  /** The place before `to`. */
  before: Place;
  right: boolean;
  shift: boolean;
  /** Pixels a cell. */
  scale: number;
  /** Whether it has gone farther than a click does. */
  far: boolean;
}

/** What a tool draws on. */
export interface Sheet {
  context: CanvasRenderingContext2D;
  at: (place: Place) => Place;
  scale: number;
}

export interface Way {
  name: string;
  title: string;
  /** The right button does something of its own. */
  right?: boolean;
  /** One Enter is a whole click. */
  dabs?: boolean;
  begin?(drag: Drag): void;
  change?(drag: Drag): void;
  end(drag: Drag): void;
  /** It was given up. */
  abandon?(): void;
  /** Whether this drag moves the map. */
  slides?(drag: Drag): boolean;
  /** Keys of its own; returns whether it knew the key. */
  key?(event: KeyboardEvent): boolean;
  draw?(sheet: Sheet, at: Place | null, drag: Drag | null): void;
}

export interface EditTool extends Tool {
  letter: string;
  group: string;
}

const CLICK = 4; // pixels that a click may move
const LEAP = 8; // cells with Ctrl

/** The tool that is moved so. */
export function pointed(way: Way, letter: string, group: string): EditTool {
  let drag: Drag | null = null;
  let look: { camera: Camera; view: Size } | null = null;

  const press = (place: Place, right: boolean, shift: boolean, scale: number) => {
    drag = { from: place, to: place, before: place, right, shift, scale, far: false };
    way.begin?.(drag);
    clock.redraw();
  };
  const moveTo = (place: Place, shift: boolean) => {
    if (drag === null) return;
    const far = drag.far || Math.hypot(place[0] - drag.from[0], place[1] - drag.from[1]) * drag.scale > CLICK;
    drag = { ...drag, before: drag.to, to: place, shift, far };
    way.change?.(drag);
    clock.redraw();
  };
  const release = () => {
    const done = drag;
    drag = null;
    if (done !== null) way.end(done);
    clock.redraw();
  };
  const giveUp = () => {
    if (drag !== null) way.abandon?.();
    drag = null;
    clock.redraw();
  };
  const mouse = ({ place, event }: Touch) => {
    cursor.value = { place, keys: false };
    return { place, right: (event as MouseEvent).button === 2, shift: event.shiftKey };
  };

  const hold = (place: Place) => {
    if (look === null) return;
    const { camera, view } = look;
    const [x, y] = toView(camera, view, place);
    const margin = 40;
    const dx = x < margin ? x - margin : x > view.width - margin ? x - view.width + margin : 0;
    const dy = y < margin ? y - margin : y > view.height - margin ? y - view.height + margin : 0;
    if (dx !== 0 || dy !== 0) store.camera.value = { ...camera, x: camera.x + dx / camera.scale, y: camera.y + dy / camera.scale };
  };

  const key = (event: KeyboardEvent, touch: Touch): boolean => {
    const ways: Record<string, Place> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { width, height } = store.cells.value;
    const now: Place = cursor.value?.place ?? [Math.min(Math.max(touch.place[0], 0), width - 1), Math.min(Math.max(touch.place[1], 0), height - 1)];
    if (event.key in ways) {
      const [dx, dy] = ways[event.key];
      const far = event.ctrlKey || event.metaKey ? LEAP : 1;
      const [x, y] = middleOf(now);
      const next: Place = [Math.min(Math.max(x + far * dx, 0.5), width - 0.5), Math.min(Math.max(y + far * dy, 0.5), height - 0.5)];
      cursor.value = { place: next, keys: true };
      hold(next);
      if (drag !== null) moveTo(next, event.shiftKey);
      else if (event.shiftKey && way.dabs && way.change) {
        press(middleOf(now), false, true, touch.scale); // Shift and an arrow drag the brush a cell on
        moveTo(next, true);
        release();
      }
      return true;
    }
    if (event.key === 'Enter' || event.key === 'Delete' || event.key === 'Backspace') {
      const place = cursor.value?.keys === false ? now : middleOf(now);
      cursor.value = { place, keys: true };
      if (drag !== null) release();
      else {
        press(place, event.key !== 'Enter' || event.ctrlKey || event.metaKey, event.shiftKey, touch.scale);
        if (way.dabs || event.key !== 'Enter') release();
      }
      return true;
    }
    if (event.key === 'Escape' && drag !== null) {
      giveUp();
      return true;
    }
    return way.key?.(event) ?? false;
  };

  return {
    name: way.name,
    title: way.title,
    letter,
    group,
    right: way.right,
    down(touch) {
      const { place, right, shift } = mouse(touch);
      press(place, right, shift, touch.scale);
    },
    move(touch) {
      const { place, shift } = mouse(touch);
      moveTo(place, shift);
      const { movementX, movementY } = touch.event as PointerEvent;
      if (drag?.far && way.slides?.(drag)) touch.pan(movementX, movementY);
    },
    hover(touch) {
      mouse(touch);
      clock.redraw();
    },
    up(touch) {
      const { place, shift } = mouse(touch);
      moveTo(place, shift);
      release();
    },
    leave() {
      if (drag === null && cursor.value?.keys === false) cursor.value = null;
      clock.redraw();
    },
    cancel: giveUp,
    key,
    draw(context, camera, view) {
      look = { camera, view };
      const sheet: Sheet = { context, at: (place) => toView(camera, view, place), scale: camera.scale };
      if (cursor.value?.keys) cross(sheet, cursor.value.place);
      way.draw?.(sheet, cursor.value?.place ?? null, drag);
    },
  };
}

/** The cell of the cursor, in black and white so that it is seen on any ground. */
function cross({ context, at, scale }: Sheet, place: Place): void {
  const [x, y] = at([Math.floor(place[0]), Math.floor(place[1])]);
  for (const [colour, width] of [
    ['black', 4],
    ['white', 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(x, y, scale, scale);
  }
}
