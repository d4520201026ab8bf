// Discs: any number of circles in one draw, with a notch that shows where each is heading.
//
// Each disc has four corners of its own. Instances would need a quarter of the bytes, but where graphics are drawn in
// software every instance is a draw of its own there: 16 µs each, measured, which is 6 pictures a second of 10,000 units.
import { Buffer, BufferUsage, Geometry, GlProgram, Mesh, Shader, UniformGroup } from 'pixi.js';

const VERTEX = `
in vec2 aCorner;
in vec4 aPlace;   // x, y, heading, radius
in vec4 aColour;
out vec2 vCorner;
out vec4 vColour;
out float vTurn;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
uniform float uLeast;
void main() {
  float radius = max(aPlace.w, uLeast) * step(0.0001, aPlace.w);
  vec2 place = aPlace.xy + aCorner * radius;
  gl_Position = vec4((uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix * vec3(place, 1.0)).xy, 0.0, 1.0);
  vCorner = aCorner;
  vColour = aColour;
  vTurn = aPlace.z;
}`;

const FRAGMENT = `
in vec2 vCorner;
in vec4 vColour;
in float vTurn;
uniform float uSoft;
uniform float uNotch;
void main() {
  float far = length(vCorner);
  if (far > 1.0) discard;
  float cover = 1.0 - smoothstep(1.0 - uSoft, 1.0, far);
  vec3 colour = vColour.rgb;
  colour *= 1.0 - 0.45 * smoothstep(0.74 - uSoft, 0.74 + uSoft, far) * uNotch;
  vec2 nose = vec2(cos(vTurn), sin(vTurn));
  float along = dot(vCorner, nose);
  float across = abs(dot(vCorner, vec2(-nose.y, nose.x)));
  float notch = step(0.15, along) * (1.0 - smoothstep(0.13, 0.13 + uSoft, across)) * uNotch;
  colour = mix(colour, vec3(0.1), 0.75 * notch);
  float alpha = vColour.a * cover;
  gl_FragColor = vec4(colour * alpha, alpha);
}`;

const vertices = (data: Float32Array | Uint32Array) => new Buffer({ data, usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });

// One program for all discs: compiling is what takes time.
let program: GlProgram | null = null;

export class Discs {
  readonly mesh: Mesh<Geometry, Shader>;
  private readonly uniforms = new UniformGroup({
    uLeast: { value: 0, type: 'f32' },
    uSoft: { value: 0.1, type: 'f32' },
    uNotch: { value: 1, type: 'f32' },
  });
  private places = new Float32Array(0);
  private colours = new Uint8Array(0);
  private placeCorners = new Float32Array(0);
  private colourCorners = new Uint32Array(0);
  private readonly cornerBuffer = vertices(new Float32Array(8));
  private readonly placeBuffer = vertices(new Float32Array(16));
  private readonly colourBuffer = vertices(new Uint32Array(4));
  private readonly indexBuffer = new Buffer({ data: new Uint32Array(6), usage: BufferUsage.INDEX | BufferUsage.COPY_DST });
  private widest = 0.5;

  constructor(public notches: boolean) {
    program ??= GlProgram.from({ vertex: VERTEX, fragment: FRAGMENT });
    const geometry = new Geometry({
      attributes: {
        aCorner: { buffer: this.cornerBuffer, format: 'float32x2' },
        aPlace: { buffer: this.placeBuffer, format: 'float32x4' },
        aColour: { buffer: this.colourBuffer, format: 'unorm8x4' },
      },
      indexBuffer: this.indexBuffer,
    });
    this.mesh = new Mesh({ geometry, shader: new Shader({ glProgram: program, resources: { look: this.uniforms } }) });
    this.mesh.visible = false;
  }

  /** The arrays to write to for n discs: x, y, heading, radius of each (radius 0: not shown), and four bytes of colour. */
  room(n: number): { places: Float32Array; colours: Uint8Array } {
    if (this.places.length !== 4 * n) this.grow(n);
    return { places: this.places, colours: this.colours };
  }

  /** Show what was written. */
  update(): void {
    const { places, placeCorners, colourCorners } = this;
    const n = places.length / 4;
    const words = new Uint32Array(this.colours.buffer);
    this.widest = 0;
    for (let k = 0; k < n; k++) {
      const [x, y, turn, radius] = [places[4 * k], places[4 * k + 1], places[4 * k + 2], places[4 * k + 3]];
      if (radius > this.widest) this.widest = radius;
      for (let v = 4 * k; v < 4 * k + 4; v++) {
        placeCorners[4 * v] = x;
        placeCorners[4 * v + 1] = y;
        placeCorners[4 * v + 2] = turn;
        placeCorners[4 * v + 3] = radius;
        colourCorners[v] = words[k];
      }
    }
    if (n > 0) {
      this.placeBuffer.update();
      this.colourBuffer.update();
    }
    this.mesh.visible = n > 0;
  }

  private grow(n: number): void {
    this.places = new Float32Array(4 * n);
    this.colours = new Uint8Array(4 * n);
    if (n === 0) return;
    const corners = new Float32Array(8 * n);
    const index = new Uint32Array(6 * n);
    for (let k = 0; k < n; k++) {
      corners.set([-1, -1, 1, -1, 1, 1, -1, 1], 8 * k);
      index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
    }
    this.cornerBuffer.data = corners;
    this.indexBuffer.data = index;
    this.placeBuffer.data = this.placeCorners = new Float32Array(16 * n);
    this.colourBuffer.data = this.colourCorners = new Uint32Array(4 * n);
  }

  /** Fit edges and the least size to the scale, in pixels of the screen a cell. */
  scaleTo(scale: number, least: number): void {
    const radius = Math.max(this.widest * scale, least);
    this.uniforms.uniforms.uLeast = least / scale;
    this.uniforms.uniforms.uSoft = Math.min(1.2 / radius, 0.5);
    this.uniforms.uniforms.uNotch = this.notches && radius > 4 ? 1 : 0;
  }
}
