// Switches for what is drawn over the map, with the legend of what is.
import type { Pane } from '../pane';
import { css, dimmed, inked, type Theme } from '../stage/palette';
import { legendOf, type LegendItem } from '../stage/scene';
import * as store from '../view';

/** `except`: names of those that have switches elsewhere. */
export function Overlays({ pane, except = [] }: { pane: Pane; except?: string[] }) {
  const keys = [...pane.scenes.value.keys()]; // by which the digits count
  const scenes = [...pane.scenes.value].filter(([name]) => !except.includes(name));
  const bound = pane.bindings.value.length > 0;
  if (scenes.length === 0 && !bound) return null;
  return (
    <section aria-label="Overlays">
      <h2>shown</h2>
      {scenes.map(([name, message]) => (
        <div key={name}>
          <label class="entry check">
            <input type="checkbox" checked={pane.shown.value.has(name)} onChange={() => pane.toggle(name)} />
            <span>
              {name} {keys.indexOf(name) < 9 && <kbd>{keys.indexOf(name) + 1}</kbd>}
            </span>
          </label>
          {pane.shown.value.has(name) && <Legend items={legendOf(message)} />}
        </div>
      ))}
      {bound && (
        <label class="entry check">
          <input type="checkbox" checked={pane.shown.value.has('bindings')} onChange={() => pane.toggle('bindings')} />
          <span>bindings, and where each should be</span>
        </label>
      )}
    </section>
  );
}

export function Legend({ items }: { items: LegendItem[] }) {
  const theme = store.theme.value;
  if (items.length === 0) return null;
  return (
    <ul class="legend">
      {items.map((item) => (
        <li key={item.label}>
          {item.colours ? (
            <span class="ramp" style={{ background: `linear-gradient(to right, ${spread(item.colours).map((colour) => css(tone(item)(colour, theme))).join(', ')})` }} />
          ) : (
            <span class={`swatch ${item.shape}`} style={painted(item, theme)} />
          )}
          {item.label}
          {item.colours && ` ${item.low} to ${item.high}`}
        </li>
      ))}
    </ul>
  );
}

const tone = (item: LegendItem) => (item.ground ? dimmed : inked);

/** Targets are rings, as on the map. */
function painted(item: LegendItem, theme: Theme): Record<string, string> {
  const { shape, colour } = item;
  if (shape === 'target') return { borderColor: css(inked(colour!, theme)) };
  return { background: css((shape === 'area' ? tone(item) : inked)(colour!, theme)) };
}

const spread = <T,>(all: T[]): T[] => (all.length <= 16 ? all : Array.from({ length: 16 }, (_, k) => all[Math.round((k * (all.length - 1)) / 15)]));
