// The player: stages, what is shown on them, what was measured, and the timeline. It has no server.
import { useState } from 'preact/hooks';
import { Caption } from '../panels/Caption';
import { Facts } from '../panels/Facts';
import { Icon } from '../panels/Icon';
import { Overlays } from '../panels/Overlays';
import { Colours } from '../panels/run/Legend';
import { SearchPanel } from '../panels/SearchPanel';
import { StageView } from '../panels/StageView';
import { Timeline } from '../panels/Timeline';
import { PLAYING } from '../playing';
import { columns } from '../share/tiles';
import * as view from '../view';

const WIDE = 860; // pixels: from here on what was measured stands beside the map

/** `wide`: how many pixels there are; `inside`: it is a part of another page. */
export function Player({ wide, inside = false }: { wide: number; inside?: boolean }) {
  const [open, setOpen] = useState(wide >= WIDE);
  const panes = view.panes.value;
  const title = panes.length > 1 ? '' : (view.current.value.run.value?.head.title ?? '');
  const light = view.theme.value === 'light';
  return (
    <div class="around">
      <div class={`app player ${view.theme.value} ${inside ? 'inside' : ''} ${open ? '' : 'bare'}`}>
        <header>
          <h1>{title || view.draft.value.scenario.name || 'Anabasis'}</h1>
          <button aria-label={light ? 'dark colours' : 'light colours'} title="dark or light" onClick={() => (view.theme.value = light ? 'dark' : 'light')}>
            <Icon name="theme" />
          </button>
          <button aria-pressed={open} onClick={() => setOpen(!open)}>
            details
          </button>
        </header>
        <main class={`stages n${panes.length} ${columns(panes.length, view.cells.value) === 1 ? 'rows' : ''}`}>
          {panes.map((pane) => (
            <div class="seat" key={pane.id}>
              <StageView pane={pane} captioned />
              <Caption pane={pane} />
            </div>
          ))}
        </main>
        {open && (
          <aside class="measured" aria-label="Details">
            <Colours pane={view.current.value} />
            {panes.map((pane) => (
              <div key={pane.id}>
                {panes.length > 1 && <h2>{pane.run.value?.head.title}</h2>}
                <SearchPanel pane={pane} />
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
    </div>
  );
}
