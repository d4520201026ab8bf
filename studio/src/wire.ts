// Messages: JSON with arrays behind it, in the format of `anabasis/studio/wire.py`; see docs/studio.md.

export type Numbers = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

export interface Packed {
  values: Numbers;
  shape: number[];
}

export interface Head {
  kind: string;
  job: string;
  [name: string]: unknown;
}

export interface Message {
  head: Head;
  arrays: Record<string, Packed>;
}

const KINDS: Record<string, new (buffer: ArrayBuffer, at: number, length: number) => Numbers> = {
  '|u1': Uint8Array,
  '|i1': Int8Array,
  '<u2': Uint16Array,
  '<i2': Int16Array,
  '<u4': Uint32Array,
  '<i4': Int32Array,
  '<f4': Float32Array,
  '<f8': Float64Array,
};

const padded = (length: number) => Math.ceil(length / 8) * 8;

/** Read one message that fills `buffer`; its arrays are views of it. */
export function unpack(buffer: ArrayBuffer): Message {
  const length = new DataView(buffer).getUint32(0, true);
  const { arrays: table, ...head } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = padded(4 + length);
  const arrays: Record<string, Packed> = {};
  for (const row of table as { name: string; type: string; shape: number[]; at: number }[]) {
    const kind = KINDS[row.type];
    if (kind === undefined) throw new Error(`array ${row.name} of a message has the unknown type ${row.type}`);
    const count = row.shape.reduce((product, n) => product * n, 1);
    arrays[row.name] = { values: new kind(buffer, start + row.at, count), shape: row.shape };
  }
  return { head: head as Head, arrays };
}

/** Read messages that stand one after the other, each with its length before it (uint64). */
export function unpackAll(buffer: ArrayBuffer): Message[] {
  const found: Message[] = [];
  const view = new DataView(buffer);
  let at = 0;
  while (at + 8 <= buffer.byteLength) {
    const length = Number(view.getBigUint64(at, true));
    found.push(unpack(buffer.slice(at + 8, at + 8 + length)));
    at += 8 + length;
  }
  return found;
}
