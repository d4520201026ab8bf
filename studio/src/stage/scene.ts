// Overlays: scenes of `anabasis.view`, as they come from the server, drawn in the world's frame.
import { BufferImageSource, Container, Graphics, Sprite, Texture } from 'pixi.js';
import type { Message } from '../wire';
import { Discs } from './discs';
import { dimmed, ground, inked, inkOn, type Colour, type Theme } from './palette';

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
  /** Whether areas and ramps are of what lies on the ground, and so are as dark as that on a dark page. */
  ground?: boolean;
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
const THIN = 6; // pixels: steps at the edges of thinner lines are softened
const SOFT = 1.2; // pixels by which they are wider then, and paler
const MOST_OUTLINES = 5000;
const hex = (c: Colour) => (c[0] << 16) | (c[1] << 8) | c[2];
const alpha = (c: Colour) => (c[3] ?? 255) / 255;

/** One overlay on the stage. Lines that would be thinner than a pixel are drawn anew when the scale changes. */
export class SceneLayer {
  /** Images: they go below the lines of all overlays. */
  readonly under = new Container();
  readonly container = new Container();
  readonly labels: Label[] = [];
  /** It shows its own ground in place of the map. */
  readonly paper: boolean;
  private readonly discs: Discs[] = [];
  private readonly head: SceneHead;
  private builtFor = 0;
  private theme: Theme | null = null;
  private readonly plates: { x: number; y: number; radius: number; colour: Colour }[] = [];
  /** What is coloured anew for another theme. */
  private readonly themed: ((theme: Theme) => void)[] = [];
  private readonly vectors: { graphics: Graphics; build: (graphics: Graphics, scale: number) => void }[] = [];

  constructor(private readonly message: Message) {
    this.head = message.head as unknown as SceneHead;
    this.paper = covers(message, this.head);
    this.head.layers.forEach((layer, k) => this.add(layer, k));
  }

  scaleTo(scale: number, resolution: number, theme: Theme): void {
    for (const discs of this.discs) discs.scaleTo(scale * resolution, 1.5 * resolution);
    const ratio = scale / this.builtFor;
    if (ratio > 0.8 && ratio < 1.25 && theme === this.theme) return;
    this.builtFor = scale;
    if (theme !== this.theme) for (const colour of this.themed) colour(theme);
    this.theme = theme;
    for (const { graphics, build } of this.vectors) {
      graphics.clear();
      build(graphics, scale);
    }
  }

  destroy(): void {
    for (const part of [this.under, this.container]) part.destroy({ children: true, texture: true, textureSource: true });
  }

  private shade(colour: Colour): Colour {
    return inked(colour, this.theme!);
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
    const pixels = new Uint8Array(4 * width * height);
    const source = new BufferImageSource({ resource: pixels, width, height, scaleMode: 'nearest', alphaMode: 'premultiplied-alpha' });
    const sprite = new Sprite(new Texture({ source }));
    const [x0, y0, x1, y1] = layer.extent!;
    sprite.position.set(x0, y0);
    sprite.setSize(x1 - x0, y1 - y0);
    this.under.addChild(sprite);
    this.themed.push((theme) => {
      const known = new Map<number, Colour>(); // a picture has many pixels, and few colours
      for (let p = 0; p < width * height; p++) {
        const [r, g, b] = [values[channels * p], values[channels * p + 1], values[channels * p + 2]];
        const key = (r << 16) | (g << 8) | b;
        let colour = known.get(key);
        if (colour === undefined) known.set(key, (colour = dimmed([r, g, b, 255], theme)));
        const opacity = channels === 4 ? values[channels * p + 3] : 255;
        for (let c = 0; c < 3; c++) pixels[4 * p + c] = Math.round((colour[c] * opacity) / 255);
        pixels[4 * p + 3] = opacity;
      }
      source.update();
    });
  }

  private circles(layer: LayerHead, k: number): void {
    const centres = this.array(k, 'centres');
    const radii = this.array(k, 'radii');
    const discs = new Discs(false);
    const { places, colours } = discs.room(radii.length);
    for (let i = 0; i < radii.length; i++) places.set([centres[2 * i], centres[2 * i + 1], 0, radii[i]], 4 * i);
    const said = this.message.arrays[`${k}.colours`].values as Uint8Array;
    const first = this.plates.length;
    for (let i = 0; i < radii.length; i++) this.plates.push({ x: centres[2 * i], y: centres[2 * i + 1], radius: radii[i], colour: [0, 0, 0, 0] });
    this.themed.push((theme) => {
      for (let i = 0; i < radii.length; i++) {
        const colour = inked([...said.subarray(4 * i, 4 * i + 4)] as unknown as Colour, theme);
        colours.set(colour, 4 * i);
        this.plates[first + i].colour = colour;
      }
      discs.update();
    });
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
    layer.texts!.forEach((text, i) => {
      const [x, y] = [points[2 * i], points[2 * i + 1]];
      const label: Label = { x, y, text, size: layer.size!, colour: layer.colour!, anchor: layer.anchor ?? 'middle' };
      this.labels.push(label);
      this.themed.push((theme) => {
        const plate = theme === 'light' ? undefined : this.plates.findLast((one) => Math.hypot(one.x - x, one.y - y) < one.radius);
        if (theme === 'light') label.colour = layer.colour!;
        else label.colour = plate === undefined ? ground(theme).ink : inkOn(plate.colour);
      });
    });
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
      const follow = () => {
        for (let row = 0; row + 1 < indptr.length; row++) {
          const first = indptr[row];
          const last = indptr[row + 1];
          if (last - first < 2) continue;
          graphics.moveTo(points[2 * first], points[2 * first + 1]);
          for (let i = first + 1; i < last; i++) graphics.lineTo(points[2 * i], points[2 * i + 1]);
          if (closed) graphics.closePath();
        }
      };
      follow();
      if (closed && layer.fill && layer.fill[3] > 0) {
        const fill = this.paper ? dimmed(layer.fill, this.theme!) : this.shade(layer.fill);
        graphics.fill({ color: hex(fill), alpha: alpha(fill) });
      }
      const colour = closed ? layer.outline : layer.colour;
      const width = (closed ? layer.outline_width : layer.width) ?? 0;
      if (!colour) return;
      const look = { color: hex(this.shade(colour)), alpha: alpha(colour), width: Math.max(width, LEAST_LINE / scale), join: 'round' } as const;
      graphics.stroke(look);
      if (closed || look.width * scale > THIN) return;
      follow();
      graphics.stroke({ ...look, alpha: 0.35 * look.alpha, width: look.width + SOFT / scale });
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
export function legendOf(message: Message): LegendItem[] {
  const head = message.head as unknown as SceneHead;
  const ground = head.layers.some((layer) => layer.type === 'image') || covers(message, head);
  return head.legend.map((item) => ({ ...item, ground }));
}

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
