// What the keys do, and where to begin.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { helping, KEYS } from '../keys';

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once, not after the next picture: a key that comes before it would find the page of help in the old state.
  const follow = () => {
    if (helping.value) dialog.current!.showModal();
    else dialog.current!.close();
  };
  useEffect(() => effect(follow), []);
  return (
    // The browser may close it too, and tells so later, when it may be open again.
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helping.value = dialog.current!.open)}>
      <h2 id="help-title" tabIndex={-1} autofocus>
        Keys
      </h2>
      <dl>
        {KEYS.filter((key) => key.what !== '').map((key) => (
          <div key={key.keys}>
            <dt>
              <kbd>{key.keys}</kbd>
            </dt>
            <dd>{key.what}</dd>
          </div>
        ))}
      </dl>
      <p>
        On the map: drag with the right or middle button to move it, turn the wheel or pinch to zoom; arrow keys, <kbd>+</kbd>, <kbd>-</kbd> and <kbd>0</kbd> do the
        same.
      </p>
      <p>
        With a tool of <b>Edit</b> in the hand, arrow keys move its cursor, with <kbd>Ctrl</kbd> eight cells at once, and with <kbd>Shift</kbd> they paint;{' '}
        <kbd>Enter</kbd> is the left button, pressed once to begin and once to end a line or an area; <kbd>Delete</kbd> or <kbd>Ctrl</kbd> <kbd>Enter</kbd> is the
        right one; <kbd>Escape</kbd> gives up.
      </p>
      <p>
        Draw a map and place units under <b>Edit</b>; choose a method and run it under <b>Plan</b>; watch, give orders and ask why under <b>Run</b>.
      </p>
      <button class="main" onClick={() => (helping.value = false)}>
        Close
      </button>
    </dialog>
  );
}
