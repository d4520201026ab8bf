// Small parts that the panels of the mode "run" share.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import * as clock from '../../clock';
import * as store from '../../store';
import type { Value } from '../../tables';
import { pointer, tool, type Tool } from '../../tools';
import { valueText } from '../Facts';

/** What is in the hand while a panel is open, who has the clock then, what F5 begins, and what is to be done at first. */
interface Acting {
  hand: Tool;
  driver?: clock.Driver;
  begin?: () => void;
  enter?: () => void;
}

export function useActing({ hand, driver, begin, enter }: Acting): void {
  useEffect(() => {
    const { time } = clock;
    const before = time.value;
    store.unit.value = -1;
    tool.value = hand;
    if (driver !== undefined) {
      clock.pause();
      clock.driver.value = driver;
    }
    store.beginning.value = begin ?? null;
    enter?.();
    return () => {
      store.unit.value = -1;
      store.beginning.value = null;
      tool.value = pointer;
      if (driver === undefined) return;
      clock.pause();
      clock.driver.value = null;
      time.value = before;
    };
  }, []);
}

interface ToggleProps {
  on: boolean;
  onClick: () => void;
  title?: string;
  children: ComponentChildren;
}

export function Toggle({ on, onClick, title, children }: ToggleProps) {
  return (
    <button aria-pressed={on} title={title} onClick={onClick}>
      {children}
    </button>
  );
}

export function Numbers({ label, rows }: { label: string; rows: [string, Value][] }) {
  return (
    <dl aria-label={label} class="numbers">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-name={name}>{valueText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What keys and pointer do here, folded away. */
export function Hints({ rows }: { rows: [string, string][] }) {
  return (
    <details class="hints">
      <summary>keys and pointer</summary>
      <dl>
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
