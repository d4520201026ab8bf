// Keys that work everywhere on the page, but not while somebody writes.
import { signal } from '@preact/signals';
import { driver, pause } from './clock';
import * as contest from './compare/contest';
import { LETTERS } from './edit/toolbox';
import { leaf } from './overlays';
import { task } from './share/task';
import { hear, PLAYING, type Key } from './playing';
import * as store from './store';

/** Whether the page of help is open. */
export const helping = signal(false);

const planning = () => store.mode.value === 'plan';

/** End what is at work: what is being saved, what runs, what plays. */
function escape(): void {
  if (task.value !== null) task.value.cancel();
  else if (driver.value === null) contest.cancel();
  else pause();
}

const mode = (mode: store.Mode) => () => void (store.mode.value = mode);

export const KEYS: Key[] = [
  ...PLAYING,
  { keys: 'F5', what: 'run', on: ['F5'], go: () => (store.beginning.value ?? contest.start)() },
  { keys: 'Escape', what: 'cancel what runs', on: ['Escape'], go: escape },
  { keys: 'E P U C S', what: 'Edit, Plan, Run, Compare, Share', on: ['e', 'E'], go: mode('edit') },
  { keys: '', what: '', on: ['p', 'P'], go: mode('plan') },
  { keys: '', what: '', on: ['u', 'U'], go: mode('run') },
  { keys: '', what: '', on: ['c', 'C'], go: mode('compare') },
  { keys: '', what: '', on: ['s', 'S'], go: mode('share') },
  { keys: 'K and Shift K', what: 'the next method, or the one before (Plan)', on: ['k'], go: () => store.leafMethods(1), when: planning },
  { keys: '', what: '', on: ['K'], go: () => store.leafMethods(-1), when: planning },
  { keys: 'N and M', what: 'cut the map more coarsely, or more finely, in all its pictures', on: ['n', 'N'], go: () => leaf(store.current.value, 1) },
  { keys: '', what: '', on: ['m', 'M'], go: () => leaf(store.current.value, -1) },
  { keys: '?, F1 or H', what: 'this page', on: ['?', 'F1', 'h', 'H'], go: () => void (helping.value = !helping.value) },
  { keys: 'Ctrl Z', what: 'undo', on: ['ctrl+z'], go: store.undo },
  { keys: 'Ctrl Shift Z or Ctrl Y', what: 'redo', on: ['ctrl+Z', 'ctrl+y'], go: store.redo },
  ...LETTERS,
];

/** While the page of help is open, keys but those that close it do nothing. */
const heard = (key: Key): Key => (key.on.includes('F1') ? key : { ...key, when: () => !helping.value && key.when?.() !== false });

// Left to the browser, Escape would close it and say so only later: a key in between would find `helping` still true.
const closeHelp: Key = { keys: '', what: '', on: ['Escape'], go: () => void (helping.value = false), when: () => helping.value };

// Letters of tools first: under Edit they mean these, whatever they mean elsewhere.
export const listen = () => hear([closeHelp, ...[...LETTERS, ...KEYS].map(heard)], window);
