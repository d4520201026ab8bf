// The state in the address: JSON, deflated, as base64 of addresses, behind `#s=`.

const MOST = 1_000_000; // characters that browsers still keep as an address

async function through(bytes: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const all = await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
  return new Uint8Array(all);
}

/** The part of an address after `#` for a state; null if it would be too long. */
export async function encode(state: unknown): Promise<string | null> {
  const bytes = await through(JSON.stringify(state), new CompressionStream('deflate-raw'));
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  const coded = 's=' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return coded.length <= MOST ? coded : null;
}

/** The state of an address; null if there is none, or it is damaged. */
export async function decode(hash: string): Promise<unknown> {
  const match = /^#?s=([\w-]+)$/.exec(hash);
  if (match === null) return null;
  try {
    const text = atob(match[1].replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
  } catch {
    return null;
  }
}
