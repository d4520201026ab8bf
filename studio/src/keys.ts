// Keys that work everywhere on the page, but not while somebody writes.
import { hear, PLAYING, type Key } from './playing';
import * as store from './store';

export const KEYS: Key[] = [
  ...PLAYING,
  { keys: 'F5', what: 'run', on: ['F5'], go: () => store.panes.value.forEach(store.start) },
  { keys: 'Escape', what: 'cancel what runs', on: ['Escape'], go: () => store.panes.value.forEach(store.cancel) },
  { keys: 'Ctrl Z', what: 'undo', on: ['ctrl+z'], go: store.undo },
  { keys: 'Ctrl Shift Z or Ctrl Y', what: 'redo', on: ['ctrl+Z', 'ctrl+y'], go: store.redo },
];

export const listen = () => hear(KEYS, window);
