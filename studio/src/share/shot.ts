// The stages of the page once more, out of sight, at a size of their own: for pictures and films.
import type { Pane } from '../pane';
import { dress } from '../panels/dress';
import { stages } from '../panels/StageView';
import type { Size } from '../stage/camera';
import { css, ground } from '../stage/palette';
import { Stage } from '../stage/stage';
import * as view from '../view';
import { resized, tiles, type Box } from './tiles';

const LINE = 22; // pixels of a caption

export class Shot {
  readonly sheet = document.createElement('canvas');
  private readonly context: CanvasRenderingContext2D;
  private parts: { pane: Pane; stage: Stage; box: Box }[] = [];

  private constructor(
    { width, height }: Size,
    private readonly captions: boolean,
  ) {
    this.sheet.width = width;
    this.sheet.height = height;
    this.context = this.sheet.getContext('2d', { alpha: false })!;
  }

  /** `captions`: method, step and arrivals stand above each stage. */
  static async create(panes: Pane[], size: Size, captions: boolean): Promise<Shot> {
    const shot = new Shot(size, captions);
    const boxes = tiles(panes.length, size, view.cells.value);
    for (const [k, pane] of panes.entries()) {
      const box = boxes[k];
      const stage = await Stage.create(document.createElement('canvas'), document.createElement('canvas'), 1);
      shot.parts.push({ pane, stage, box });
      stage.resize(box.width, box.height - (captions ? LINE : 0));
      const shown = stages.get(pane);
      const camera = view.camera.value;
      stage.camera = camera === null || shown === undefined ? view.wholeMap(pane, stage.view) : resized(camera, shown.view, stage.view);
      dress(stage, pane, (change) => change());
    }
    return shot;
  }

  draw(step: number): void {
    const { context } = this;
    const { page, ink } = ground(view.theme.value);
    context.fillStyle = css(page);
    context.fillRect(0, 0, this.sheet.width, this.sheet.height);
    for (const { pane, stage, box } of this.parts) {
      const top = box.y + (this.captions ? LINE : 0);
      stage.draw(step);
      context.drawImage(stage.canvas, box.x, top);
      context.drawImage(stage.markCanvas, box.x, top);
      if (!this.captions) continue;
      context.font = '13px system-ui, sans-serif';
      context.textBaseline = 'middle';
      context.fillStyle = css(ink);
      context.fillText(captionOf(pane, step), box.x + 8, box.y + LINE / 2, box.width - 16);
    }
  }

  destroy(): void {
    for (const { stage } of this.parts) stage.destroy();
    this.parts = [];
  }
}

function captionOf(pane: Pane, step: number): string {
  const run = pane.run.value;
  const name = run?.head.method ?? run?.head.title ?? pane.request.value.method;
  return run === null ? name : `${name}   step ${Math.round(Math.min(step, run.steps))}   ${run.arrivedBy(step)} of ${run.units} arrived`;
}
