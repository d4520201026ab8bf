// The signs of the editing tools.
const dot = (x: number, y: number, r = 1.4) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const circle = (r: number) => dot(8, 8, r);

const PATHS: Record<string, string> = {
  pointer: 'M3 1.5l10 7-4.6.8 2.6 4.6-2 1.1-2.6-4.6L3 13.5z',
  paint: 'M12.5 1.5l2 2-6.2 6.2-2-2z M5.3 8.5l2.2 2.2C6.6 13.7 4.2 14 1.8 14c1.4-1.2 1.2-4.6 3.5-5.5z',
  line: 'M2 12.8L12.8 2l1.2 1.2L3.2 14z',
  rectangle: 'M2 3h12v10H2z',
  fill: 'M6.2 1.8l6.6 6.6-5 5L1.2 6.8z M14 10.2c.9 1.4 1.3 2 1.3 2.7a1.3 1.3 0 0 1-2.6 0c0-.7.4-1.3 1.3-2.7z',
  pick: 'M14.2 1.8a1.9 1.9 0 0 0-2.7 0L9.4 3.9l-.9-.9-1.2 1.2 4.5 4.5L13 7.5l-.9-.9 2.1-2.1a1.9 1.9 0 0 0 0-2.7z M7.2 5.8L2.5 10.5 2 14l3.5-.5 4.7-4.7z',
  door: 'M3 1.5h10v13H3z M4.5 3v10h7V3z M9 7.4h1.4v1.6H9z',
  unit: circle(4),
  area: `M1.5 1.5h13v13h-13z M2.7 2.7v10.6h10.6V2.7z ${[5.5, 10.5].flatMap((x) => [5.5, 10.5].map((y) => dot(x, y))).join('')}`,
  disc: `${circle(7)}${circle(5.9)}${[[8, 4.6], [5, 9.8], [11, 9.8]].map(([x, y]) => dot(x, y)).join('')}`,
  target: `${circle(6.5)}${circle(5.2)}${circle(3.4)}${circle(2.1)}${circle(0.9)}`,
  remove: 'M6.3 3L1.5 9.5 5 13h8.5v-1.3h-4L14 6.5 9.5 2z M5.6 11.7L3.2 9.4l2.5-3.3 3.6 3.4-1.9 2.2z',
  formation: [[8, 3], [5, 7.5], [11, 7.5], [2.2, 12], [13.8, 12], [8, 12]].map(([x, y]) => dot(x, y, 1.7)).join(''),
  way: 'M2 14V8.5h6V5h2.5V2L15 6l-4.5 4V6.6H9.6V10H3.6v4z',
  agent: `${dot(4, 12, 2.5)}M9.5 2h4.5v4.5H9.5z M5.5 9.4l4-4 .9.9-4 4z`,
  undo: 'M6.5 2v3H10a4 4 0 0 1 0 9H6v-1.6h4a2.4 2.4 0 0 0 0-5.8H6.5v3L2 5.8z',
  redo: 'M9.5 2v3H6a4 4 0 0 0 0 9h4v-1.6H6a2.4 2.4 0 0 1 0-5.8h3.5v3L14 5.8z',
  ends: 'M8 1a4.8 4.8 0 0 1 4.8 4.8C12.8 9.5 8 15 8 15S3.2 9.5 3.2 5.8A4.8 4.8 0 0 1 8 1z M8 3.8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
};

export function ToolIcon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="17" height="17" aria-hidden="true">
      <path d={PATHS[name] ?? ''} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}
