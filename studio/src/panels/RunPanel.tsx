// Play what was planned, or act: order units of a live simulation, play in turns, move a formation by hand.
import type { ComponentType } from 'preact';
import * as store from '../store';
import { FormationAct } from './run/FormationAct';
import { Live } from './run/Live';
import { Playback } from './run/Playback';
import { Turns } from './run/Turns';
import './run/run.css';

const TITLES: Record<store.Act, string> = { playback: 'Playback', live: 'Live', turns: 'Turns', formation: 'Formation' };

const PANELS: Record<store.Act, ComponentType> = { playback: Playback, live: Live, turns: Turns, formation: FormationAct };

export function RunPanel() {
  const act = store.act.value;
  const Panel = PANELS[act];
  return (
    <>
      <div class="acts" role="group" aria-label="What to run">
        {store.ACTS.map((one) => (
          <button key={one} aria-pressed={one === act} onClick={() => (store.act.value = one)}>
            {TITLES[one]}
          </button>
        ))}
      </div>
      <Panel key={act} />
    </>
  );
}
