// The player: stages, what is shown on them, what was measured, and the timeline. It has no server.
import { useState } from 'preact/hooks';
import * as clock from '../clock';
import { Caption } from '../panels/Caption';
import { Facts } from '../panels/Facts';
import { Icon } from '../panels/Icon';
import { Overlays } from '../panels/Overlays';
import { StageView } from '../panels/StageView';
import { Timeline } from '../panels/Timeline';
import { PLAYING } from '../playing';
import { css, GROUPS, ramp, STATES } from '../stage/palette';
import { COLOURINGS, type Colouring } from '../stage/stage';
import * as view from '../view';

const WIDE = 860; // pixels: from here on what was measured stands beside the map

/** `wide`: how many pixels there are; `inside`: it is a part of another page. */
export function Player({ wide, inside = false }: { wide: number; inside?: boolean }) {
  const [open, setOpen] = useState(wide >= WIDE);
  const panes = view.panes.value;
  const title = panes.length > 1 ? '' : (view.current.value.run.value?.head.title ?? '');
  const light = view.theme.value === 'light';
  return (
    <div class={`app player ${view.theme.value} ${inside ? 'inside' : ''} ${open ? '' : 'bare'}`}>
      <header>
        <h1>{title || view.draft.value.scenario.name || 'Anabasis'}</h1>
        <label class="by">
          colour by{' '}
          <select value={view.colouring.value} onChange={(event) => (view.colouring.value = event.currentTarget.value as Colouring)}>
            {COLOURINGS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button aria-label={light ? 'dark colours' : 'light colours'} title="dark or light" onClick={() => (view.theme.value = light ? 'dark' : 'light')}>
          <Icon name="theme" />
        </button>
        <button aria-pressed={open} onClick={() => setOpen(!open)}>
          details
        </button>
      </header>
      <main class={`stages n${panes.length}`}>
        {panes.map((pane) => (
          <div class="seat" key={pane.id}>
            <StageView pane={pane} />
            <Caption pane={pane} />
          </div>
        ))}
      </main>
      {open && (
        <aside class="measured" aria-label="Details">
          <Colours />
          {panes.map((pane) => (
            <div key={pane.id}>
              {panes.length > 1 && <h2>{pane.run.value?.head.title}</h2>}
              <Overlays pane={pane} />
              <Facts pane={pane} />
            </div>
          ))}
          <details>
            <summary>keys</summary>
            <dl>
              {PLAYING.filter((key) => key.keys !== '').map((key) => (
                <div key={key.keys}>
                  <dt>{key.what}</dt>
                  <dd>
                    <kbd>{key.keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </aside>
      )}
      <Timeline />
    </div>
  );
}

/** What the colours of the units mean. */
function Colours() {
  const run = view.current.value.run.value;
  if (run === null) return null;
  void clock.final.value;
  const by = view.colouring.value;
  const several = by === 'group' ? names(run.head.groups) : by === 'state' ? STATES.map(({ name, colour }) => ({ name, colour })) : [];
  if (by === 'speed' || by === 'delay') {
    const [low, high] = by === 'speed' ? ['stands', 'fast'] : ['arrives first', 'last or never'];
    const stops = [0, 0.33, 0.67, 1].map((share) => css(ramp(share))).join(', ');
    return (
      <p class="legend">
        {low} <span class="ramp" style={{ background: `linear-gradient(to right, ${stops})` }} /> {high}
      </p>
    );
  }
  return (
    <ul class="legend" aria-label="Colours of units">
      {several.map(({ name, colour }) => (
        <li key={name}>
          <span class="swatch dot" style={{ background: css(colour) }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

const names = (groups: string[]) => groups.map((name, k) => ({ name: name || `group ${k + 1}`, colour: GROUPS[k % GROUPS.length] }));
