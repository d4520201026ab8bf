// Files that leave the page, and what is put on the clipboard.
import type { Sheet } from '../pane';
import type { Message } from '../wire';

/** Let the browser save a file. */
export function download(data: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A table as CSV (RFC 4180); what a spreadsheet could take for a formula is marked as text. */
export function csv({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>): string {
  const cell = (value: unknown) => {
    const text = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : `${value ?? ''}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Put a text on the clipboard; throws if the browser doesn't let us. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new Error('The browser does not let the page use the clipboard: mark the text and copy it.');
  }
}

export const sizeText = (bytes: number) =>
  bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** A name for a file: letters, digits and dashes of a title. */
export const fileName = (title: string, ending: string) =>
  `${title.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').toLowerCase().slice(0, 60) || 'anabasis'}.${ending}`;

/** The file that messages `file` bring, in parts if it is large. */
export function assembled(messages: Message[]): { name: string; data: Blob; notes: string[] } | null {
  const parts = messages.filter((message) => message.head.kind === 'file');
  if (parts.length === 0) return null;
  const { name, type, notes } = parts[0].head;
  const data = new Blob(parts.map((part) => part.arrays.data.values as Uint8Array<ArrayBuffer>), { type: type as string });
  return { name: name as string, data, notes: (notes as string[] | undefined) ?? [] };
}
