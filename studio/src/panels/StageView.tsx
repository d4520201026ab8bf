// One pane's stage on the page: sizes, pointer, wheel and fingers.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import * as clock from '../clock';
import type { Place } from '../draft';
import type { Pane } from '../pane';
import { pan, toWorld, zoom } from '../stage/camera';
import { Stage } from '../stage/stage';
import * as store from '../view';
import { tool, type Touch } from '../tools';
import { dress } from './dress';

/** The stages on the page, for whoever makes a picture of one. */
export const stages = new Map<Pane, Stage>();

/** `captioned`: a caption lies over its top. */
export function StageView({ pane, captioned = false }: { pane: Pane; captioned?: boolean }) {
  const below = useRef(captioned);
  useEffect(() => {
    below.current = captioned;
    clock.redraw();
  }, [captioned]);
  const box = useRef<HTMLDivElement>(null);
  const under = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let over_ = false;
    let close = () => {};
    void Stage.create(under.current!, over.current!).then((stage) => {
      if (over_) stage.destroy();
      else close = attach(stage, pane, box.current!, () => below.current);
    });
    return () => {
      over_ = true;
      close();
    };
  }, [pane]);
  return (
    <div class="stage" ref={box} tabIndex={0} role="application" aria-label="Map. Arrow keys move, plus and minus zoom, 0 shows all.">
      <canvas class="under" ref={under} />
      <canvas class="over" ref={over} />
    </div>
  );
}

function attach(stage: Stage, pane: Pane, box: HTMLDivElement, captioned: () => boolean): () => void {
  const ends: (() => void)[] = [];
  const watch = (change: () => void) =>
    ends.push(
      effect(() => {
        change();
        clock.redraw();
      }),
    );
  stages.set(pane, stage);
  const sizes = new ResizeObserver(([entry]) => {
    stage.resize(entry.contentRect.width, entry.contentRect.height);
    clock.redraw();
  });
  sizes.observe(box);
  stage.resize(box.clientWidth, box.clientHeight);
  dress(stage, pane, watch);
  watch(() => void [clock.time.value, pane.come.value, store.camera.value, store.unit.value, store.mode.value, tool.value, pane.search.value, pane.shown.value]);
  ends.push(
    clock.onFrame(() => {
      stage.camera = store.camera.value ?? store.wholeMap(pane, stage.view, captioned());
      stage.draw(clock.time.value);
    }),
  );
  ends.push(pointers(stage, pane, box));
  return () => {
    for (const end of ends) end();
    sizes.disconnect();
    stages.delete(pane);
    stage.destroy();
  };
}

/** Mouse, pen and fingers: one works with the tool, or moves the map with the right or middle button; two zoom. */
function pointers(stage: Stage, pane: Pane, box: HTMLDivElement): () => void {
  const down = new Map<number, Place>();
  let panning = false;
  const at = (event: MouseEvent): Place => {
    const frame = box.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const look = (camera: typeof stage.camera) => {
    stage.camera = camera; // more may happen before the next picture
    store.camera.value = camera;
  };
  const touching = (event: MouseEvent | KeyboardEvent, place: Place): Touch => ({
    place,
    event,
    pane,
    scale: stage.camera.scale,
    pan: (dx, dy) => look(pan(stage.camera, dx, dy)),
  });
  const touch = (event: MouseEvent) => touching(event, toWorld(stage.camera, stage.view, at(event)));
  const listeners: [string, (event: never) => void][] = [
    [
      'pointerdown',
      (event: PointerEvent) => {
        box.setPointerCapture(event.pointerId);
        down.set(event.pointerId, at(event));
        if (down.size > 1) tool.value.cancel?.();
        panning = event.button === 1 || (tool.value.pans && event.button === 0) || (event.button === 2 && !tool.value.right);
        if (!panning && down.size === 1) tool.value.down?.(touch(event));
      },
    ],
    [
      'pointermove',
      (event: PointerEvent) => {
        const before = down.get(event.pointerId);
        const now = at(event);
        if (before === undefined) {
          tool.value.hover?.(touch(event));
          return;
        }
        if (down.size === 2) {
          const other = [...down].find(([id]) => id !== event.pointerId)![1];
          const apart = (place: Place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
          const middle: Place = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
          const camera = zoom(stage.camera, stage.view, apart(now) / Math.max(apart(before), 1), middle);
          look(pan(camera, (now[0] - before[0]) / 2, (now[1] - before[1]) / 2));
        } else if (panning) look(pan(stage.camera, now[0] - before[0], now[1] - before[1]));
        else tool.value.move?.(touch(event));
        down.set(event.pointerId, now);
      },
    ],
    [
      'pointerup',
      (event: PointerEvent) => {
        if (down.delete(event.pointerId) && !panning) tool.value.up?.(touch(event));
      },
    ],
    [
      'pointercancel',
      (event: PointerEvent) => {
        down.delete(event.pointerId);
        tool.value.cancel?.();
      },
    ],
    [
      'wheel',
      (event: WheelEvent) => {
        event.preventDefault();
        // Two fingers on a trackpad come as small steps to all sides; with ctrl held they are a pinch.
        const trackpad = !event.ctrlKey && event.deltaMode === 0 && event.deltaX !== 0;
        if (trackpad) look(pan(stage.camera, -event.deltaX, -event.deltaY));
        else look(zoom(stage.camera, stage.view, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), at(event)));
      },
    ],
    ['pointerleave', () => tool.value.leave?.()],
    ['contextmenu', (event: Event) => event.preventDefault()],
    [
      'keydown',
      (event: KeyboardEvent) => {
        const middle: Place = [stage.view.width / 2, stage.view.height / 2];
        const far = event.ctrlKey ? 240 : 60;
        const ways: Record<string, Place> = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
        if (tool.value.key?.(event, touching(event, [stage.camera.x, stage.camera.y]))) clock.redraw();
        else if (event.key in ways) look(pan(stage.camera, ...ways[event.key]));
        else if (event.key === '+' || event.key === '=') look(zoom(stage.camera, stage.view, 1.25, middle));
        else if (event.key === '-') look(zoom(stage.camera, stage.view, 0.8, middle));
        else if (event.key === '0') store.camera.value = null;
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    ],
  ];
  for (const [name, listen] of listeners) box.addEventListener(name, listen as EventListener, { passive: false });
  return () => {
    for (const [name, listen] of listeners) box.removeEventListener(name, listen as EventListener);
  };
}
