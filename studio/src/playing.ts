// Keys that play what is shown, and how keys are heard at all.
import * as clock from './clock';
import * as view from './view';

export interface Key {
  keys: string;
  what: string;
  /** As `KeyboardEvent.key`, with `ctrl+` before it where control (or command) is held. */
  on: string[];
  /** Whether it works now; without it, always. */
  when?: () => boolean;
  go: () => void;
}

export const PLAYING: Key[] = [
  { keys: 'Space', what: 'play or pause', on: [' '], go: clock.toggle },
  { keys: '. and ,', what: 'one step on, or back', on: ['.'], go: () => clock.step(1) },
  { keys: '', what: '', on: [','], go: () => clock.step(-1) },
  { keys: 'Home and End', what: 'to the beginning, or the end', on: ['Home'], go: () => clock.seek(0) },
  { keys: '', what: '', on: ['End'], go: () => clock.seek(clock.end.value) },
  { keys: '[ and ]', what: 'slower, or faster', on: ['['], go: clock.slower },
  { keys: '', what: '', on: [']'], go: clock.faster },
  { keys: 'L', what: 'loop', on: ['l', 'L'], go: () => void (clock.loop.value = !clock.loop.value) },
  { keys: 'R', what: 'show the whole map', on: ['r', 'R'], go: () => void (view.camera.value = null) },
  { keys: 'B', what: 'set or remove a bookmark', on: ['b', 'B'], go: clock.bookmark },
];

for (let digit = 1; digit <= 9; digit++) {
  const go = () => {
    const pane = view.current.value;
    const name = [...pane.scenes.value.keys()][digit - 1];
    if (name !== undefined) pane.toggle(name);
  };
  PLAYING.push({ keys: digit === 1 ? '1 to 9' : '', what: digit === 1 ? 'show or hide an overlay' : '', on: [`${digit}`], go });
}

/** Hear keys below `root`, but not while somebody writes. */
export function hear(keys: Key[], root: EventTarget): void {
  // A button that the pointer pressed doesn't keep the focus: who clicks Run and then presses Space wants to play. Before
  // the button acts, since a dialog that it opens gives the focus back to whoever had it.
  const release = (heard: Event) => {
    const event = heard as MouseEvent;
    if (event.detail > 0) (event.target as HTMLElement).closest?.<HTMLElement>('button, summary')?.blur();
  };
  root.addEventListener('click', release, { capture: true });
  root.addEventListener('keydown', (heard) => {
    const event = heard as KeyboardEvent;
    const writing = (event.target as HTMLElement).closest?.('input:not([type=range]):not([type=checkbox]), select, textarea');
    if (writing || event.altKey) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const name = ctrl ? `ctrl+${event.key}` : event.key;
    // Space presses a button that has the focus; on a slider it means nothing else than to play.
    if (event.key === ' ' && (event.target as HTMLElement).closest?.('button, summary, input:not([type=range])')) return;
    const found = keys.find((key) => key.on.includes(name) && key.when?.() !== false);
    if (found === undefined) return;
    event.preventDefault();
    found.go();
  });
}
