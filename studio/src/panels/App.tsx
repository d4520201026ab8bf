// The page: modes above, the panel of the mode on the left, stages, what was measured on the right, the timeline below.
import type { ComponentType } from 'preact';
import { helping } from '../keys';
import { colourOf } from '../compare/colours';
import { Results } from '../compare/Results';
import { columns } from '../share/tiles';
import * as store from '../store';
import { Caption } from './Caption';
import './Caption.css';
import { ComparePanel } from './ComparePanel';
import { Contents } from './edit/Contents';
import { Dropping } from './edit/Dropping';
import { EditPanel } from './EditPanel';
import { Facts } from './Facts';
import { Help } from './Help';
import { Icon } from './Icon';
import { Minimap } from './Minimap';
import { PlanPanel } from './PlanPanel';
import { Inspector } from './run/Inspector';
import { RunPanel } from './RunPanel';
import { SharePanel } from './SharePanel';
import { StageView } from './StageView';
import { Timeline } from './Timeline';

const TITLES: Record<store.Mode, string> = { edit: 'Edit', plan: 'Plan', run: 'Run', compare: 'Compare', share: 'Share' };

const PANELS: Record<store.Mode, ComponentType> = {
  edit: EditPanel,
  plan: PlanPanel,
  run: RunPanel,
  compare: ComparePanel,
  share: SharePanel,
};

export function App() {
  const mode = store.mode.value;
  const Panel = PANELS[mode];
  const panes = store.onStage.value;
  const many = mode === 'compare' || panes.length > 1;
  const name = (mode !== 'edit' && store.current.value.apart.value) || store.file.value || store.draft.value.scenario.name || 'untitled';
  return (
    <div class={`app ${store.theme.value} in-${mode} ${many ? 'comparing' : ''}`}>
      <header>
        <h1>Anabasis</h1>
        <nav role="tablist" aria-label="Modes">
          {store.MODES.map((one) => (
            <button key={one} role="tab" id={`tab-${one}`} aria-selected={one === mode} aria-controls="panel" onClick={() => (store.mode.value = one)}>
              {TITLES[one]}
            </button>
          ))}
        </nav>
        <span class="file" title={name}>
          {name}
        </span>
        {!store.linked.value && <span class="failed">no connection to the server</span>}
        <button aria-label="dark or light" title="dark or light" onClick={() => (store.theme.value = store.theme.value === 'dark' ? 'light' : 'dark')}>
          <Icon name="theme" />
        </button>
        <button aria-label="help" title="?" onClick={() => (helping.value = true)}>
          ?
        </button>
      </header>
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${mode}`}>
        <Panel />
      </div>
      <main class={`stages n${panes.length} ${columns(panes.length, store.cells.value) === 1 ? 'rows' : ''}`}>
        {panes.map((pane, k) => (
          <div class="seat" key={pane.id}>
            <StageView pane={pane} captioned={many} />
            {many && <Caption pane={pane} colour={colourOf(k, store.theme.value)} />}
          </div>
        ))}
        {store.camera.value !== null && panes[0].marks === null && <Minimap key={`minimap ${panes[0].id}`} pane={panes[0]} />}
      </main>
      <aside class="measured" aria-label="Results">
        {mode === 'edit' && <Contents />}
        {mode === 'run' && <Inspector pane={store.current.value} />}
        {many ? <Results /> : <Facts pane={store.current.value} />}
      </aside>
      <Timeline />
      <Help />
      <Dropping />
      {store.notice.value !== '' && (
        <div class="notice" role="alert">
          <span>{store.notice.value}</span>
          <button aria-label="close" onClick={() => (store.notice.value = '')}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
