// Discs: any number of circles in one instanced draw, with a notch that shows where each is heading.
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
  private placeBuffer = new Buffer({ data: new Float32Array(4), usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });
  private colourBuffer = new Buffer({ data: new Uint8Array(4), usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });
  private readonly geometry: Geometry;
  private widest = 0.5;

  constructor(private readonly notches: boolean) {
    program ??= GlProgram.from({ vertex: VERTEX, fragment: FRAGMENT });
    this.geometry = new Geometry({
      attributes: {
        aCorner: { buffer: new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), format: 'float32x2' },
        aPlace: { buffer: this.placeBuffer, format: 'float32x4', instance: true },
        aColour: { buffer: this.colourBuffer, format: 'unorm8x4', instance: true },
      },
      indexBuffer: [0, 1, 2, 0, 2, 3],
      instanceCount: 0,
    });
    this.mesh = new Mesh({
      geometry: this.geometry,
      shader: new Shader({ glProgram: program, resources: { look: this.uniforms } }),
    });
    this.mesh.visible = false;
  }

  /** The arrays to write to for n discs: x, y, heading, radius of each (radius 0: not shown), and four bytes of colour. */
  room(n: number): { places: Float32Array; colours: Uint8Array } {
    if (this.places.length !== 4 * n) {
      this.places = new Float32Array(4 * n);
      this.colours = new Uint8Array(4 * n);
    }
    return { places: this.places, colours: this.colours };
  }

  /** Show what was written. */
  update(): void {
    const n = this.places.length / 4;
    this.widest = 0;
    for (let k = 0; k < n; k++) this.widest = Math.max(this.widest, this.places[4 * k + 3]);
    if (n > 0) {
      this.placeBuffer.data = this.places;
      this.colourBuffer.data = this.colours;
      this.placeBuffer.update();
      this.colourBuffer.update();
    }
    this.geometry.instanceCount = n;
    this.mesh.visible = n > 0;
  }

  /** Fit edges and the least size to the scale, in pixels of the screen a cell. */
  scaleTo(scale: number, least: number): void {
    const radius = Math.max(this.widest * scale, least);
    this.uniforms.uniforms.uLeast = least / scale;
    this.uniforms.uniforms.uSoft = Math.min(1.2 / radius, 0.5);
    this.uniforms.uniforms.uNotch = this.notches && radius > 4 ? 1 : 0;
  }
}
