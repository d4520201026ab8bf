// A search on the stage: cells in one texture, or vertices as discs with lines to their parents.
import { Buffer, BufferImageSource, BufferUsage, Container, Geometry, GlProgram, Mesh, Shader, Sprite, Texture, UniformGroup } from 'pixi.js';
import type { Search } from '../search';
import { Discs } from './discs';
import { dimmed, ground, ramp, type Colour, type Theme } from './palette';

const OPEN: Colour = [230, 159, 0, 255];
const VERTEX = `
in vec2 aPlace;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
void main() {
  gl_Position = vec4((uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix * vec3(aPlace, 1.0)).xy, 0.0, 1.0);
}`;
const FRAGMENT = `
uniform vec4 uColour;
void main() { gl_FragColor = uColour; }`;

export class SearchLayer {
  readonly container = new Container();
  private drawn = -1;
  private theme: Theme = 'light';
  private readonly discs = new Discs(false);
  private readonly pixels: Uint8Array;
  private readonly source: BufferImageSource | null;
  private readonly lines: Lines | null = null;

  constructor(readonly search: Search) {
    const { width, height } = search;
    const cells = search.points.length === 0;
    this.pixels = new Uint8Array(cells ? 4 * width * height : 0);
    this.source = cells
      ? new BufferImageSource({ resource: this.pixels, width, height, scaleMode: 'nearest', alphaMode: 'premultiplied-alpha' })
      : null;
    if (this.source !== null) this.container.addChild(new Sprite(new Texture({ source: this.source })));
    else this.container.addChild((this.lines = parentLines(search.points.length / 2)).mesh, this.discs.mesh);
  }

  /** Show what is known after so many steps. */
  update(steps: number, theme: Theme): void {
    const wanted = Math.min(Math.floor(steps), this.search.steps);
    if (wanted === this.drawn && theme === this.theme) return;
    this.drawn = wanted;
    this.theme = theme;
    if (this.source !== null) this.paint(wanted);
    else this.place(wanted);
  }

  scaleTo(scale: number, resolution: number): void {
    this.discs.scaleTo(scale * resolution, 1.5 * resolution);
  }

  destroy(): void {
    this.container.destroy({ children: true, texture: true, textureSource: true });
  }

  private paint(steps: number): void {
    const { pixels, search } = this;
    pixels.fill(0);
    const far = search.farthest;
    for (const known of search.after(steps).values()) {
      const colour = dimmed(known.state === 'open' ? OPEN : ramp(known.g / far), this.theme);
      const share = this.theme === 'dark' ? 0.95 : known.state === 'open' ? 0.85 : 0.6;
      for (let c = 0; c < 3; c++) pixels[4 * known.vertex + c] = share * colour[c];
      pixels[4 * known.vertex + 3] = 255 * share;
    }
    this.source!.update();
  }

  private place(steps: number): void {
    const { search } = this;
    const known = [...search.after(steps).values()];
    const { places, colours } = this.discs.room(known.length);
    const ends = new Float32Array(4 * known.length);
    known.forEach((one, k) => {
      const [x, y] = search.place(one.vertex);
      places.set([x, y, 0, 0.18], 4 * k);
      colours.set(one.state === 'open' ? OPEN : ramp(one.g / search.farthest), 4 * k);
      const [px, py] = one.parent >= 0 ? search.place(one.parent) : [x, y];
      ends.set([px, py, x, y], 4 * k);
    });
    this.discs.update();
    const { buffer, look, mesh } = this.lines!;
    look.uniforms.uColour = new Float32Array(ground(this.theme).ink.map((part, k) => (k === 3 ? 0.5 : (0.5 * part) / 255)));
    buffer.data = ends.length > 0 ? ends : new Float32Array(4);
    buffer.update();
    mesh.visible = ends.length > 0;
  }
}

interface Lines {
  buffer: Buffer;
  look: UniformGroup<{ uColour: { value: Float32Array; type: 'vec4<f32>' } }>;
  mesh: Mesh<Geometry, Shader>;
}

function parentLines(vertices: number): Lines {
  const buffer = new Buffer({ data: new Float32Array(4 * Math.max(vertices, 1)), usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });
  const geometry = new Geometry({ attributes: { aPlace: { buffer, format: 'float32x2' } }, topology: 'line-list' });
  const look: Lines['look'] = new UniformGroup({ uColour: { value: new Float32Array(4), type: 'vec4<f32>' } });
  const shader = new Shader({ glProgram: GlProgram.from({ vertex: VERTEX, fragment: FRAGMENT }), resources: { look } });
  return { buffer, look, mesh: new Mesh({ geometry, shader }) };
}
