// The signs on buttons, drawn: fonts don't have them everywhere.
const PATHS = {
  first: 'M3 3h2v10H3z M13 3v10L6 8z',
  back: 'M11 3v10L5 8z',
  play: 'M4 2.5v11L13 8z',
  pause: 'M4 3h3v10H4z M9 3h3v10H9z',
  on: 'M5 3v10l6-5z',
  last: 'M11 3h2v10h-2z M3 3v10l7-5z',
  loop: 'M8 3a5 5 0 1 0 5 5h-2a3 3 0 1 1-3-3v2l4-3-4-3z',
  flag: 'M4 2h8l-2 3 2 3H5.5v6H4z',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5v9a4.5 4.5 0 0 1 0-9z',
  close: 'M3.5 4.5l1-1L8 7l3.5-3.5 1 1L9 8l3.5 3.5-1 1L8 9l-3.5 3.5-1-1L7 8z',
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={PATHS[name]} fill="currentColor" />
    </svg>
  );
}
