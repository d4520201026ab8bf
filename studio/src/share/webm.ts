// WebM files as browsers record them don't say how long they are, so that players can't show it. This puts it in.

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const DURATION = 0x4489;
const SCALE = 0x2ad7b1;

interface Element {
  id: number;
  /** Where its contents begin, and how long they are (-1: not said). */
  data: number;
  length: number;
}

/** A number of variable length: a leading one in the first byte says of how many bytes. */
function number(bytes: Uint8Array, at: number, marked: boolean): { value: number; size: number } {
  const size = Math.clz32(bytes[at]) - 23;
  let value = marked ? bytes[at] : bytes[at] & (0xff >> size);
  let ones = (bytes[at] & (0xff >> size)) === 0xff >> size;
  for (let k = 1; k < size; k++) {
    value = value * 256 + bytes[at + k];
    ones &&= bytes[at + k] === 0xff;
  }
  return { value: ones && !marked ? -1 : value, size };
}

function element(bytes: Uint8Array, at: number): Element {
  const id = number(bytes, at, true);
  const length = number(bytes, at + id.size, false);
  return { id: id.value, data: at + id.size + length.size, length: length.value };
}

/** The first element of an id among those from `at` to `end`. */
function found(bytes: Uint8Array, at: number, end: number, id: number): { at: number; element: Element } | null {
  while (at < end) {
    const next = element(bytes, at);
    if (next.id === id) return { at, element: next };
    if (next.length < 0) return null;
    at = next.data + next.length;
  }
  return null;
}

/** The bytes of a file with its duration, in ms, in its `Info`; the same bytes if they say it, or aren't understood. */
export function patched(bytes: Uint8Array, ms: number): Uint8Array {
  const segment = found(bytes, 0, bytes.length, SEGMENT)?.element;
  // What has a length that would change by it is left alone.
  if (segment === undefined || segment.length >= 0) return bytes;
  const info = found(bytes, segment.data, bytes.length, INFO);
  if (info === null || info.element.length < 0) return bytes;
  const { data, length } = info.element;
  if (found(bytes, data, data + length, DURATION) !== null) return bytes;
  const scale = found(bytes, data, data + length, SCALE)?.element;
  let unit = 1_000_000; // ns
  if (scale !== undefined) unit = bytes.subarray(scale.data, scale.data + scale.length).reduce((value, byte) => value * 256 + byte, 0);
  const more = new Uint8Array(11);
  more.set([0x44, 0x89, 0x88]);
  new DataView(more.buffer).setFloat64(3, (ms * 1_000_000) / unit);
  const head = new Uint8Array(12);
  head.set([0x15, 0x49, 0xa9, 0x66, 0x01]);
  new DataView(head.buffer).setUint32(8, length + more.length);
  const parts = [bytes.subarray(0, info.at), head, bytes.subarray(data, data + length), more, bytes.subarray(data + length)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function withDuration(film: Blob, ms: number): Promise<Blob> {
  const bytes = patched(new Uint8Array(await film.arrayBuffer()), ms);
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: film.type });
}
