// Keys that work everywhere on the page, but not while somebody writes.
import { signal } from '@preact/signals';
import { hear, PLAYING, type Key } from './playing';
import * as store from './store';

/** Whether the page of help is open. */
export const helping = signal(false);

const mode = (mode: store.Mode) => () => void (store.mode.value = mode);

export const KEYS: Key[] = [
  ...PLAYING,
  { keys: 'F5', what: 'run', on: ['F5'], go: () => store.panes.value.forEach(store.start) },
  { keys: 'Escape', what: 'cancel what runs', on: ['Escape'], go: () => store.panes.value.forEach(store.cancel) },
  { keys: 'E P U C S', what: 'Edit, Plan, Run, Compare, Share', on: ['e', 'E'], go: mode('edit') },
  { keys: '', what: '', on: ['p', 'P'], go: mode('plan') },
  { keys: '', what: '', on: ['u', 'U'], go: mode('run') },
  { keys: '', what: '', on: ['c', 'C'], go: mode('compare') },
  { keys: '', what: '', on: ['s', 'S'], go: mode('share') },
  { keys: '? or F1', what: 'this page', on: ['?', 'F1', 'h', 'H'], go: () => void (helping.value = !helping.value) },
  { keys: 'Ctrl Z', what: 'undo', on: ['ctrl+z'], go: store.undo },
  { keys: 'Ctrl Shift Z or Ctrl Y', what: 'redo', on: ['ctrl+Z', 'ctrl+y'], go: store.redo },
];

export const listen = () => hear(KEYS, window);
