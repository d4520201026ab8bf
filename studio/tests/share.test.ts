import { expect, test } from 'vitest';
import { panesOf } from '../src/player/panes';
import { assembled, csv, fileName, sizeText } from '../src/share/files';
import { columns, even, pictures, resized, tiles } from '../src/share/tiles';
import { patched } from '../src/share/webm';
import type { Message } from '../src/wire';

const wide = { width: 56, height: 32 };
const high = { width: 32, height: 56 };

test('tiles fill the picture without touching one another', () => {
  expect(tiles(1, { width: 640, height: 360 }, wide)).toEqual([{ x: 0, y: 0, width: 640, height: 360 }]);
  expect(tiles(2, { width: 640, height: 362 }, wide).map(({ x, y }) => [x, y])).toEqual([[0, 0], [0, 182]]);
  expect(tiles(2, { width: 642, height: 360 }, high).map(({ x, y }) => [x, y])).toEqual([[0, 0], [322, 0]]);
  const three = tiles(3, { width: 642, height: 362 }, wide);
  expect(three[2]).toEqual({ x: 0, y: 182, width: 642, height: 180 });
  expect(tiles(4, { width: 642, height: 362 }, wide)[3]).toEqual({ x: 322, y: 182, width: 320, height: 180 });
  expect(columns(2, high)).toBe(2);
});

test('a view of another size shows at least the same', () => {
  expect(resized({ x: 3, y: 4, scale: 10 }, { width: 400, height: 200 }, { width: 800, height: 300 })).toEqual({ x: 3, y: 4, scale: 15 });
});

test('sizes of films are even and within what can be drawn', () => {
  expect([even(641), even(3), even(99999)]).toEqual([642, 64, 4096]);
});

test('names of files are plain, whatever the title is', () => {
  expect(fileName('Two <doors>/../x', 'png')).toBe('two-doors-x.png');
  expect(fileName('../..', 'gif')).toBe('anabasis.gif');
});

test('sizes are told in three digits', () => {
  expect([sizeText(12), sizeText(84_200), sizeText(1_250_000)]).toEqual(['12 bytes', '84 kB', '1.3 MB']);
});

const message = (kind: string, job: string, more: object = {}, arrays: object = {}): Message => ({ head: { kind, job, ...more }, arrays: arrays as Message['arrays'] });

test('a file that comes in parts is put together', async () => {
  const part = (bytes: number[]) => message('file', 'j', { name: 'a.gif', type: 'image/gif' }, { data: { values: Uint8Array.from(bytes), shape: [bytes.length] } });
  const file = assembled([message('facts', 'j'), part([1, 2]), part([3])]);
  expect(file?.name).toBe('a.gif');
  expect([...new Uint8Array(await file!.data.arrayBuffer())]).toEqual([1, 2, 3]);
  expect(assembled([message('facts', 'j')])).toBe(null);
});

test('each job of a replay has a pane, the draft has none', () => {
  const facts = (job: string, title: string) => message('facts', job, { title, rows: [] });
  const panes = panesOf([message('draft', '', { draft: {} }), facts('a', 'A'), facts('b', 'B'), facts('a', 'C')]);
  expect(panes.map((pane) => pane.facts.value.map(({ title }) => title))).toEqual([['A', 'C'], ['B']]);
  expect(panesOf([]).length).toBe(1);
  expect(panesOf(['a', 'b', 'c', 'd', 'e'].map((job) => facts(job, job))).length).toBe(4);
});

/** A WebM file of the kind that Chromium records: EBML head, a segment without length, info, then a cluster. */
const film = (info: number[]) =>
  Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 0x81, 0x00, 0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x15, 0x49, 0xa9, 0x66, 0x80 + info.length, ...info, 0x1f, 0x43, 0xb6, 0x75, 0xff, 7, 7]);
const SCALE = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]; // 1,000,000 ns

test('a film that does not say how long it is says so afterwards', () => {
  const before = film(SCALE);
  const after = patched(before, 2500);
  const at = 18; // of Info
  const view = new DataView(after.buffer);
  expect(view.getUint32(at)).toBe(0x1549a966);
  expect(view.getUint32(at + 8)).toBe(SCALE.length + 11);
  expect([...after.subarray(at + 12, at + 19)]).toEqual(SCALE);
  expect([...after.subarray(at + 19, at + 22)]).toEqual([0x44, 0x89, 0x88]);
  expect(view.getFloat64(at + 22)).toBe(2500);
  expect([...after.subarray(at + 30)]).toEqual([...before.subarray(at + 5 + SCALE.length)]);
});

test('a film that says how long it is, or is no film, is left alone', () => {
  const told = film([...SCALE, 0x44, 0x89, 0x84, 0, 0, 0, 0]);
  expect(patched(told, 2500)).toBe(told);
  const none = Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 0x81, 0]);
  expect(patched(none, 1)).toBe(none);
});

test('a GIF has twenty pictures a second, fewer if it is long', () => {
  expect(pictures(5)).toEqual({ most: 100, rate: 20 });
  expect(pictures(60)).toEqual({ most: 300, rate: 5 });
  expect(pictures(0)).toEqual({ most: 2, rate: 50 });
});

test('tables are saved as CSV that a spreadsheet reads back', () => {
  const sheet = { columns: ['who', 'why'], rows: [['unit 1', 'stuck, "at" a gate'], ['=1+1', 2.5], ['two\nlines', null]] };
  expect(csv(sheet)).toBe('who,why\r\nunit 1,"stuck, ""at"" a gate"\r\n\'=1+1,2.5\r\n"two\nlines",\r\n');
});
