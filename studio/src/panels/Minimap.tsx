// The whole map, small, with the part that is in sight; a click or the arrow keys go elsewhere.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { there } from '../act/show';
import * as clock from '../clock';
import type { Pane } from '../pane';
import { pan, toWorld } from '../stage/camera';
import { css, ground, GROUPS, terrainTable } from '../stage/palette';
import * as store from '../view';
import { stages } from './StageView';

const SIDE = 150; // pixels of the longer side
const MOST_UNITS = 2000; // more would hide the map, and take long

export function Minimap({ pane }: { pane: Pane }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => follow(canvas.current!, pane), [pane]);
  const go = (event: PointerEvent) => {
    const stage = stages.get(pane);
    if (stage === undefined || event.buttons !== 1) return;
    const box = canvas.current!.getBoundingClientRect();
    const { width, height } = store.mapOf(pane);
    store.camera.value = {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
      scale: stage.camera.scale,
    };
  };
  const keys = (event: KeyboardEvent) => {
    const stage = stages.get(pane);
    const ways: Record<string, [number, number]> = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (stage === undefined || !(event.key in ways)) return;
    const [dx, dy] = ways[event.key];
    store.camera.value = pan(stage.camera, (dx * stage.view.width) / 4, (dy * stage.view.height) / 4);
    event.preventDefault();
  };
  return (
    <canvas
      class="minimap"
      ref={canvas}
      tabIndex={0}
      role="application"
      aria-label="Small map. Arrow keys move what is in sight."
      onPointerDown={go}
      onPointerMove={go}
      onKeyDown={keys}
    />
  );
}

function follow(canvas: HTMLCanvasElement, pane: Pane): () => void {
  let picture: ImageBitmap | null = null;
  let turn = 0;
  const stop = effect(() => {
    const { width, height, terrain } = store.mapOf(pane);
    const table = new Uint32Array(terrainTable(store.theme.value).buffer);
    const pixels = Uint32Array.from(terrain, (code) => table[code]);
    const mine = ++turn;
    void createImageBitmap(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height)).then((bitmap) => {
      if (mine !== turn) return;
      picture = bitmap;
      clock.redraw();
    });
    const scale = SIDE / Math.max(width, height);
    canvas.width = Math.max(1, Math.round(width * scale * devicePixelRatio));
    canvas.height = Math.max(1, Math.round(height * scale * devicePixelRatio));
    canvas.style.width = `${width * scale}px`;
  });
  const draw = () => {
    const stage = stages.get(pane);
    if (picture === null || stage === undefined) return;
    const context = canvas.getContext('2d')!;
    const scale = canvas.width / store.mapOf(pane).width;
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const run = store.mode.value === 'edit' ? null : pane.run.value;
    if (run !== null) {
      const stride = Math.ceil(run.units / MOST_UNITS);
      context.fillStyle = css(GROUPS[0]);
      for (let k = 0; k < run.units; k += stride) {
        if (there(run, k)) context.fillRect(run.moment.positions[2 * k] * scale - 1, run.moment.positions[2 * k + 1] * scale - 1, 2, 2);
      }
    }
    const [x0, y0] = toWorld(stage.camera, stage.view, [0, 0]);
    const [x1, y1] = toWorld(stage.camera, stage.view, [stage.view.width, stage.view.height]);
    context.strokeStyle = css(GROUPS[1]);
    context.lineWidth = 2;
    context.strokeRect(x0 * scale, y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale);
    context.lineWidth = 1;
    context.strokeStyle = css(ground(store.theme.value).ink);
    context.strokeRect(0.5, 0.5, canvas.width - 1, canvas.height - 1);
  };
  // After the stages, which say where everybody is.
  const end = clock.onFrame(() => queueMicrotask(draw));
  return () => {
    stop();
    end();
  };
}
