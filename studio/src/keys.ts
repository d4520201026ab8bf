// Keys that work everywhere on the page, but not while somebody writes.
import * as clock from './clock';
import * as store from './store';

export interface Key {
  keys: string;
  what: string;
  /** As `KeyboardEvent.key`, with `ctrl+` before it where control (or command) is held. */
  on: string[];
  go: () => void;
}

export const KEYS: Key[] = [
  { keys: 'Space', what: 'play or pause', on: [' '], go: clock.toggle },
  { keys: '. and ,', what: 'one step on, or back', on: ['.'], go: () => clock.step(1) },
  { keys: '', what: '', on: [','], go: () => clock.step(-1) },
  { keys: 'Home and End', what: 'to the beginning, or the end', on: ['Home'], go: () => clock.seek(0) },
  { keys: '', what: '', on: ['End'], go: () => clock.seek(clock.end.value) },
  { keys: '[ and ]', what: 'slower, or faster', on: ['['], go: clock.slower },
  { keys: '', what: '', on: [']'], go: clock.faster },
  { keys: 'L', what: 'loop', on: ['l', 'L'], go: () => void (clock.loop.value = !clock.loop.value) },
  { keys: 'B', what: 'set or remove a bookmark', on: ['b', 'B'], go: clock.bookmark },
  { keys: 'F5', what: 'run', on: ['F5'], go: () => (store.beginning.value ?? (() => store.start(store.current.value)))() },
  { keys: 'Escape', what: 'cancel what runs', on: ['Escape'], go: () => store.cancel(store.current.value) },
  { keys: 'Ctrl Z', what: 'undo', on: ['ctrl+z'], go: store.undo },
  { keys: 'Ctrl Shift Z or Ctrl Y', what: 'redo', on: ['ctrl+Z', 'ctrl+y'], go: store.redo },
];

for (let digit = 1; digit <= 9; digit++) {
  const go = () => {
    const pane = store.current.value;
    const name = [...pane.scenes.value.keys()][digit - 1];
    if (name !== undefined) pane.toggle(name);
  };
  KEYS.push({ keys: digit === 1 ? '1 to 9' : '', what: digit === 1 ? 'show or hide an overlay' : '', on: [`${digit}`], go });
}

export function listen(): void {
  window.addEventListener('keydown', (event) => {
    const writing = (event.target as HTMLElement).closest?.('input:not([type=range]):not([type=checkbox]), select, textarea');
    if (writing || event.altKey) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const name = ctrl ? `ctrl+${event.key}` : event.key;
    // Space presses a button that has the focus, and arrows move a slider.
    if (event.key === ' ' && (event.target as HTMLElement).closest?.('button, summary, input')) return;
    const found = KEYS.find((key) => key.on.includes(name));
    if (found === undefined) return;
    event.preventDefault();
    found.go();
  });
}
