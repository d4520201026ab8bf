// Overlays: scenes of `anabasis.view`, as they come from the server, drawn in the world's frame.
import { BufferImageSource, Container, Graphics, Sprite, Texture } from 'pixi.js';
import type { Message } from '../wire';
import { Discs } from './discs';
import { inked, type Colour, type Theme } from './palette';

interface LayerHead {
  type: 'image' | 'polylines' | 'circles' | 'polygons' | 'arrows' | 'labels';
  extent?: [number, number, number, number];
  colour?: Colour;
  fill?: Colour;
  outline?: Colour | null;
  outline_width?: number;
  width?: number;
  texts?: string[];
  size?: number;
  anchor?: 'start' | 'middle' | 'end';
}

export interface LegendItem {
  label: string;
  colour?: Colour;
  shape?: string;
  colours?: Colour[];
  low?: string;
  high?: string;
}

interface SceneHead {
  name: string;
  title: string;
  bounds: [number, number, number, number];
  legend: LegendItem[];
  layers: LayerHead[];
}

export interface Label {
  x: number;
  y: number;
  text: string;
  size: number;
  colour: Colour;
  anchor: 'start' | 'middle' | 'end';
}

const LEAST_LINE = 1.25; // pixels: a thinner one has gaps, for edges aren't smoothed
const MOST_OUTLINES = 5000;
const hex = (c: Colour) => (c[0] << 16) | (c[1] << 8) | c[2];
const alpha = (c: Colour) => (c[3] ?? 255) / 255;

/** One overlay on the stage. Lines that would be thinner than a pixel are drawn anew when the scale changes. */
export class SceneLayer {
  /** Images: they go below the lines of all overlays. */
  readonly under = new Container();
  readonly container = new Container();
  readonly labels: Label[] = [];
  /** It shows its own ground, so that nothing of it changes its colour on a dark page. */
  readonly paper: boolean;
  private readonly discs: Discs[] = [];
  private readonly head: SceneHead;
  private builtFor = 0;
  private theme: Theme = 'light';
  /** Its dark lines lie on the map itself, and would not be seen on a dark one. */
  private readonly bare: boolean;
  private readonly vectors: { graphics: Graphics; build: (graphics: Graphics, scale: number) => void }[] = [];

  constructor(private readonly message: Message) {
    this.head = message.head as unknown as SceneHead;
    this.paper = covers(message, this.head);
    this.bare = !this.paper && this.head.layers.every((layer) => layer.type !== 'image');
    this.head.layers.forEach((layer, k) => this.add(layer, k));
  }

  scaleTo(scale: number, resolution: number, theme: Theme): void {
    for (const discs of this.discs) discs.scaleTo(scale * resolution, 1.5 * resolution);
    const ratio = scale / this.builtFor;
    if (ratio > 0.8 && ratio < 1.25 && theme === this.theme) return;
    this.builtFor = scale;
    this.theme = theme;
    for (const { graphics, build } of this.vectors) {
      graphics.clear();
      build(graphics, scale);
    }
  }

  destroy(): void {
    for (const part of [this.under, this.container]) part.destroy({ children: true, texture: true, textureSource: true });
  }

  /** A colour as it is drawn: ink is light on a dark map. */
  private shade(colour: Colour): Colour {
    return this.bare ? inked(colour, this.theme) : colour;
  }

  private array(k: number, field: string): Float32Array {
    return this.message.arrays[`${k}.${field}`].values as Float32Array;
  }

  private add(layer: LayerHead, k: number): void {
    if (layer.type === 'image') this.image(layer, k);
    else if (layer.type === 'circles') this.circles(layer, k);
    else if (layer.type === 'labels') this.text(layer, k);
    else if (layer.type === 'arrows') this.arrows(layer, k);
    else this.rows(layer, k);
  }

  private image(layer: LayerHead, k: number): void {
    const { values, shape } = this.message.arrays[`${k}.pixels`];
    const [height, width, channels] = shape;
    let pixels = values as Uint8Array;
    if (channels === 3) {
      pixels = new Uint8Array(4 * width * height).fill(255);
      for (let p = 0; p < width * height; p++) for (let c = 0; c < 3; c++) pixels[4 * p + c] = values[3 * p + c];
    } else {
      pixels = premultiplied(pixels);
    }
    const source = new BufferImageSource({ resource: pixels, width, height, scaleMode: 'nearest', alphaMode: 'premultiplied-alpha' });
    const sprite = new Sprite(new Texture({ source }));
    const [x0, y0, x1, y1] = layer.extent!;
    sprite.position.set(x0, y0);
    sprite.setSize(x1 - x0, y1 - y0);
    this.under.addChild(sprite);
  }

  private circles(layer: LayerHead, k: number): void {
    const centres = this.array(k, 'centres');
    const radii = this.array(k, 'radii');
    const discs = new Discs(false);
    const { places, colours } = discs.room(radii.length);
    for (let i = 0; i < radii.length; i++) places.set([centres[2 * i], centres[2 * i + 1], 0, radii[i]], 4 * i);
    colours.set(this.message.arrays[`${k}.colours`].values as Uint8Array);
    discs.update();
    this.discs.push(discs);
    this.container.addChild(discs.mesh);
    const { outline, outline_width: width } = layer;
    if (!outline || !width || radii.length > MOST_OUTLINES) return;
    this.vector((graphics, scale) => {
      for (let i = 0; i < radii.length; i++) circle(graphics, centres[2 * i], centres[2 * i + 1], radii[i], scale);
      graphics.stroke({ color: hex(this.shade(outline)), alpha: alpha(outline), width: Math.max(width, LEAST_LINE / scale) });
    });
  }

  private text(layer: LayerHead, k: number): void {
    const points = this.array(k, 'points');
    layer.texts!.forEach((text, i) =>
      this.labels.push({
        x: points[2 * i],
        y: points[2 * i + 1],
        text,
        size: layer.size!,
        colour: layer.colour!,
        anchor: layer.anchor ?? 'middle',
      }),
    );
  }

  private vector(build: (graphics: Graphics, scale: number) => void): void {
    const graphics = new Graphics();
    this.vectors.push({ graphics, build });
    this.container.addChild(graphics);
  }

  /** Polylines and polygons: points in rows. */
  private rows(layer: LayerHead, k: number): void {
    const points = this.array(k, 'points');
    const indptr = this.message.arrays[`${k}.indptr`].values;
    const closed = layer.type === 'polygons';
    this.vector((graphics, scale) => {
      for (let row = 0; row + 1 < indptr.length; row++) {
        const first = indptr[row];
        const last = indptr[row + 1];
        if (last - first < 2) continue;
        graphics.moveTo(points[2 * first], points[2 * first + 1]);
        for (let i = first + 1; i < last; i++) graphics.lineTo(points[2 * i], points[2 * i + 1]);
        if (closed) graphics.closePath();
      }
      if (closed && layer.fill && layer.fill[3] > 0) graphics.fill({ color: hex(layer.fill), alpha: alpha(layer.fill) });
      const colour = closed ? layer.outline : layer.colour;
      const width = (closed ? layer.outline_width : layer.width) ?? 0;
      if (colour) graphics.stroke({ color: hex(this.shade(colour)), alpha: alpha(colour), width: Math.max(width, LEAST_LINE / scale), join: 'round' });
    });
  }

  private arrows(layer: LayerHead, k: number): void {
    const tails = this.array(k, 'tails');
    const tips = this.array(k, 'tips');
    const colour = layer.colour!;
    this.vector((graphics, scale) => {
      const width = Math.max(layer.width!, LEAST_LINE / scale);
      const heads: number[][] = [];
      for (let i = 0; i < tails.length; i += 2) {
        const dx = tips[i] - tails[i];
        const dy = tips[i + 1] - tails[i + 1];
        const length = Math.hypot(dx, dy);
        if (length === 0) continue;
        const head = Math.min(5 * width, length / 2);
        const ux = dx / length;
        const uy = dy / length;
        const nx = tips[i] - ux * head;
        const ny = tips[i + 1] - uy * head;
        graphics.moveTo(tails[i], tails[i + 1]).lineTo(nx, ny);
        heads.push([tips[i], tips[i + 1], nx - uy * head * 0.4, ny + ux * head * 0.4, nx + uy * head * 0.4, ny - ux * head * 0.4]);
      }
      graphics.stroke({ color: hex(this.shade(colour)), alpha: alpha(colour), width });
      for (const corners of heads) graphics.poly(corners);
      if (heads.length > 0) graphics.fill({ color: hex(this.shade(colour)), alpha: alpha(colour) });
    });
  }
}

/** The legend of a scene; ramps have a row of colours. */
export const legendOf = (message: Message): LegendItem[] => (message.head as unknown as SceneHead).legend;

/** Whether the lowest layers cover the map: an opaque picture, or nearly as many filled polygons as there are cells. */
function covers({ arrays }: Message, { layers, bounds }: SceneHead): boolean {
  if (layers[0]?.type === 'image') return arrays['0.pixels'].shape[2] === 3;
  let filled = 0;
  for (let k = 0; layers[k]?.type === 'polygons' && layers[k].fill?.[3] === 255; k++) filled += arrays[`${k}.indptr`].values.length - 1;
  return filled > 0.8 * (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]);
}

/** A circle with as many corners as its size in pixels asks for. */
function circle(graphics: Graphics, x: number, y: number, radius: number, scale: number): void {
  const corners = Math.min(Math.max(Math.ceil(5 * Math.sqrt(radius * scale)), 8), 96);
  const points: number[] = [];
  for (let k = 0; k < corners; k++) {
    const turn = (2 * Math.PI * k) / corners;
    points.push(x + radius * Math.cos(turn), y + radius * Math.sin(turn));
  }
  graphics.poly(points);
}

function premultiplied(pixels: Uint8Array): Uint8Array {
  const out = new Uint8Array(pixels);
  for (let p = 0; p < out.length; p += 4) {
    const share = out[p + 3] / 255;
    for (let c = 0; c < 3; c++) out[p + c] = Math.round(out[p + c] * share);
  }
  return out;
}
