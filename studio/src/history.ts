// Undo and redo: values in a row, and which of them is now.

export interface History<T> {
  past: T[];
  now: T;
  future: T[];
}

const MOST = 200;

export const begin = <T>(now: T): History<T> => ({ past: [], now, future: [] });

export function did<T>(history: History<T>, now: T): History<T> {
  if (now === history.now) return history;
  return { past: [...history.past, history.now].slice(-MOST), now, future: [] };
}

/** Put another value in the place of the present one. */
export const amended = <T>(history: History<T>, now: T): History<T> => ({ ...history, now, future: [] });

export function undo<T>(history: History<T>): History<T> {
  const now = history.past.at(-1);
  if (now === undefined) return history;
  return { past: history.past.slice(0, -1), now, future: [history.now, ...history.future] };
}

export function redo<T>(history: History<T>): History<T> {
  const now = history.future[0];
  if (now === undefined) return history;
  return { past: [...history.past, history.now], now, future: history.future.slice(1) };
}
