// The stage: map, overlays and units in one canvas; labels and marks in another one above it.
import 'pixi.js/graphics';
import 'pixi.js/mesh';
import 'pixi.js/unsafe-eval'; // without it shaders are set by code made at run time, which the page's policy forbids
import { BufferImageSource, Container, Sprite, Texture, WebGLRenderer } from 'pixi.js';
import type { Cells } from '../draft';
import { ARRIVED, type Moment, type Run } from '../run';
import type { Search } from '../search';
import type { Message } from '../wire';
import { toView, type Camera, type Size } from './camera';
import { Discs } from './discs';
import { css, ground, GROUPS, ramp, shaded, STATES, terrainTable, type Colour, type Theme } from './palette';
import { SceneLayer } from './scene';
import { SearchLayer } from './search-layer';

export type Colouring = 'group' | 'route' | 'state' | 'speed' | 'delay';
export const COLOURINGS: Colouring[] = ['group', 'route', 'state', 'speed', 'delay'];

/** Draws above everything, in pixels of the view. `colours`: four bytes for each unit, as it is drawn. */
export type Marks = (context: CanvasRenderingContext2D, camera: Camera, view: Size, step: number, colours: Uint8Array) => void;

const LEAST_RADIUS = 1.5; // pixels
const FEW = 60; // units that are seen on large maps, too
const LEAST_OF_FEW = 4; // pixels: their radius there
const LEAST_LABEL = 7; // pixels of a line: lower ones have no room for letters that can be read, and are left out
const LEAST_LETTERS = 8.5; // pixels

const cellOf = (x: number, y: number) => `${Math.floor(x)} ${Math.floor(y)}`;

export class Stage {
  readonly view: Size = { width: 1, height: 1 };
  camera: Camera = { x: 0, y: 0, scale: 1 };
  colouring: Colouring = 'group';
  marks: Marks = () => {};
  private readonly renderer = new WebGLRenderer();
  private readonly root = new Container();
  private readonly world = new Container();
  private readonly below = new Container();
  private readonly above = new Container();
  private readonly units = new Discs(true);
  private overlays = new Map<string, { message: Message; layer: SceneLayer }>();
  private search: SearchLayer | null = null;
  private map: Sprite | null = null;
  private theme: Theme = 'light';
  private cells: Cells | null = null;
  private run: Run | null = null;
  private resolution = 1;
  private step = 0;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    readonly markCanvas: HTMLCanvasElement,
  ) {}

  static async create(canvas: HTMLCanvasElement, markCanvas: HTMLCanvasElement, resolution = window.devicePixelRatio || 1): Promise<Stage> {
    const stage = new Stage(canvas, markCanvas);
    stage.resolution = resolution;
    await stage.renderer.init({
      canvas,
      width: 16,
      height: 16,
      resolution: stage.resolution,
      autoDensity: true,
      antialias: false,
      skipExtensionImports: true,
      background: 0xffffff,
    });
    // Shaders that choose among many textures at each pixel take 30 ms more for the map, where software draws.
    stage.renderer.limits.maxBatchableTextures = 1;
    stage.root.addChild(stage.world);
    stage.world.addChild(stage.below, stage.above, stage.units.mesh);
    return stage;
  }

  resize(width: number, height: number): void {
    this.view.width = Math.max(width, 1);
    this.view.height = Math.max(height, 1);
    this.renderer.resize(this.view.width, this.view.height);
    this.markCanvas.width = Math.round(this.view.width * this.resolution);
    this.markCanvas.height = Math.round(this.view.height * this.resolution);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    const [r, g, b] = ground(theme).page;
    this.renderer.background.color = (r << 16) | (g << 8) | b;
    if (this.cells !== null) this.setMap(this.cells);
  }

  /** Show a map; calling it again with other cells of the same size only writes the texture anew. */
  setMap(cells: Cells): void {
    const before = this.map?.texture.source;
    const same = before !== undefined && before.width === cells.width && before.height === cells.height;
    this.cells = cells;
    const pixels = same ? (before.resource as Uint8Array) : new Uint8Array(4 * cells.terrain.length);
    const table = new Uint32Array(terrainTable(this.theme).buffer);
    const words = new Uint32Array(pixels.buffer);
    for (let k = 0; k < cells.terrain.length; k++) words[k] = table[cells.terrain[k]];
    if (same) {
      before.update();
      return;
    }
    this.map?.destroy({ texture: true, textureSource: true });
    const source = new BufferImageSource({
      resource: pixels,
      width: cells.width,
      height: cells.height,
      scaleMode: 'nearest',
      alphaMode: 'no-premultiply-alpha',
    });
    this.map = new Sprite(new Texture({ source }));
    this.below.addChild(this.map);
  }

  /** Show the map itself, or only what is on it. */
  showMap(shown: boolean): void {
    this.below.visible = shown;
  }

  /** Whether notches show where units are heading; below numbers they would only be in the way. */
  showHeadings(shown: boolean): void {
    this.units.notches = shown;
  }

  setRun(run: Run | null): void {
    this.run = run;
    if (run === null) {
      this.units.room(0);
      this.units.update();
    }
  }

  /** Show these overlays, by name, in this order, and no others. */
  setOverlays(scenes: Map<string, Message>): void {
    for (const [name, { message, layer }] of this.overlays) {
      if (scenes.get(name) !== message) {
        layer.destroy();
        this.overlays.delete(name);
      }
    }
    this.above.removeChildren();
    const kept = this.overlays;
    this.overlays = new Map();
    for (const [name, message] of scenes) {
      const shown = kept.get(name) ?? { message, layer: new SceneLayer(message) };
      this.overlays.set(name, shown);
    }
    const layers = [...this.overlays.values()].map(({ layer }) => layer);
    if (layers.length > 0) this.above.addChild(...layers.map((layer) => layer.under), ...layers.map((layer) => layer.container));
  }

  /** Show a search after so many steps, in the colours of the theme; null: none. */
  setSearch(search: Search | null, steps: number): void {
    if (this.search !== null && this.search.search !== search) {
      this.search.destroy();
      this.search = null;
    }
    if (search === null) return;
    if (this.search === null) {
      this.search = new SearchLayer(search);
      this.world.addChildAt(this.search.container, 1);
    }
    this.search.update(steps, this.theme);
  }

  /** Discs that stand for units that no run moves yet: x, y, radius, number of the group. */
  setStanding(units: { x: number; y: number; radius: number; group: number }[]): void {
    const { places, colours } = this.units.room(units.length);
    units.forEach((unit, k) => {
      places.set([unit.x, unit.y, 0, unit.radius], 4 * k);
      colours.set(this.shade(GROUPS[unit.group % GROUPS.length]), 4 * k);
    });
    this.units.update();
  }

  draw(step: number): void {
    this.step = step;
    const { camera, view } = this;
    if (this.run !== null && this.run.come > 0) this.place(this.run, this.run.at(step));
    this.world.scale.set(camera.scale);
    this.world.position.set(view.width / 2 - camera.x * camera.scale, view.height / 2 - camera.y * camera.scale);
    const few = this.run !== null && this.run.units <= FEW;
    this.units.scaleTo(camera.scale * this.resolution, (few ? LEAST_OF_FEW : LEAST_RADIUS) * this.resolution);
    for (const { layer } of this.overlays.values()) layer.scaleTo(camera.scale, this.resolution, this.theme);
    // A picture that shows its own ground hides the map, also where its edge is not straight.
    if (this.map !== null) this.map.visible = ![...this.overlays.values()].some(({ layer }) => layer.paper);
    this.search?.scaleTo(camera.scale, this.resolution);
    this.renderer.render(this.root);
    const context = this.markCanvas.getContext('2d')!;
    context.setTransform(this.resolution, 0, 0, this.resolution, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    const hidden = this.hidden();
    for (const { layer } of this.overlays.values()) this.write(context, layer, hidden);
    this.marks(context, camera, view, step, this.run === null ? new Uint8Array(0) : this.units.room(this.run.units).colours);
  }

  /** Both canvases as one picture. */
  picture(): HTMLCanvasElement {
    this.draw(this.step); // what was drawn before is gone from the canvas
    const sheet = document.createElement('canvas');
    sheet.width = this.canvas.width;
    sheet.height = this.canvas.height;
    const context = sheet.getContext('2d')!;
    context.drawImage(this.canvas, 0, 0);
    context.drawImage(this.markCanvas, 0, 0, sheet.width, sheet.height);
    return sheet;
  }

  destroy(): void {
    this.renderer.destroy();
  }

  /** The cells, as texts, in which units of a run stand: what is written there lies below them. */
  private hidden(): Set<string> {
    const cells = new Set<string>();
    if (this.run === null || this.run.come === 0 || [...this.overlays.values()].every(({ layer }) => layer.labels.length === 0)) return cells;
    const { places } = this.units.room(this.run.units);
    for (let k = 0; k < places.length; k += 4) if (places[k + 3] > 0) cells.add(cellOf(places[k], places[k + 1]));
    return cells;
  }

  private write(context: CanvasRenderingContext2D, layer: SceneLayer, hidden: Set<string>): void {
    context.textBaseline = 'middle';
    for (const label of layer.labels) {
      const size = label.size * this.camera.scale;
      if (size < LEAST_LABEL || hidden.has(cellOf(label.x, label.y))) continue;
      const [x, y] = toView(this.camera, this.view, [label.x, label.y]);
      if (x < -100 || y < -100 || x > this.view.width + 100 || y > this.view.height + 100) continue;
      context.font = `${Math.max(0.75 * size, LEAST_LETTERS).toFixed(1)}px system-ui, sans-serif`;
      context.textAlign = label.anchor === 'middle' ? 'center' : label.anchor;
      context.fillStyle = css(label.colour);
      context.fillText(label.text, x, y);
    }
  }

  private place(run: Run, moment: Moment): void {
    const n = run.units;
    const { places, colours } = this.units.room(n);
    const word = new Uint32Array(colours.buffer, colours.byteOffset, n);
    const table = this.table(run);
    for (let k = 0; k < n; k++) {
      places[4 * k] = moment.positions[2 * k];
      places[4 * k + 1] = moment.positions[2 * k + 1];
      places[4 * k + 2] = moment.headings[k];
      places[4 * k + 3] = moment.state[k] >= ARRIVED && !run.stays ? 0 : run.radius[k];
      word[k] = table(k, moment);
    }
    this.units.update();
  }

  private shade(colour: Colour): Colour {
    return shaded(colour, this.theme);
  }

  /** The colour of a unit as one word. */
  private table(run: Run): (unit: number, moment: Moment) => number {
    const words = (colours: Colour[]) => new Uint32Array(new Uint8Array(colours.flatMap((c) => this.shade(c))).buffer);
    const groups = words(GROUPS);
    const steps = words(Array.from({ length: 64 }, (_, k) => ramp(k / 63)));
    if (this.colouring === 'route') return (unit) => groups[run.route[unit] % 8];
    if (this.colouring === 'state') {
      const states = words(STATES.map((state) => state.colour));
      return (unit, moment) => states[moment.state[unit]];
    }
    if (this.colouring === 'speed') {
      return (unit, moment) => steps[Math.min(63, Math.round((63 * moment.speed[unit]) / run.fastest))];
    }
    if (this.colouring === 'delay') return (unit) => steps[Math.round(63 * run.lateness[unit])];
    return (unit) => groups[run.group[unit] % 8];
  }
}
