// A game in turns: order units, end the turn, change the world.
import { signal } from '@preact/signals';
import { stateOf, TERRAIN } from '../../act/game';
import { adder, brush, mover, painter, points } from '../../act/mover';
import * as turns from '../../act/turns';
import * as clock from '../../clock';
import type { Place } from '../../draft';
import { legendOf } from '../../stage/scene';
import { tool } from '../../tools';
import { Legend } from '../Overlays';
import { Hints, Numbers, Toggle, useActing } from './parts';

const seed = signal(0);

export function Turns() {
  useActing({ hand: mover, driver: turns.driver, begin: turns.begin, enter: turns.enter });
  const game = turns.game.value;
  const scene = turns.pane.scenes.value.get('turns');
  return (
    <>
      <Begin />
      {game !== null && (
        <>
          <EndTurn />
          <Hands />
          <section aria-label="Units">
            <h2>units</h2>
            {game.units.length === 0 && <p class="quiet">There is none yet: add some.</p>}
            <div class="row">
              {game.units.map((unit) => (
                <Toggle key={unit.name} on={unit.name === turns.chosen.value} onClick={() => turns.choose(unit.name)}>
                  {unit.name}
                </Toggle>
              ))}
            </div>
          </section>
          <label class="entry check">
            <input type="checkbox" checked={turns.numbers.value} onChange={() => turns.showNumbers(!turns.numbers.value)} />
            <span>cost, g, rhs of the chosen unit’s search</span>
          </label>
          {scene !== undefined && <Legend items={legendOf(scene)} />}
        </>
      )}
      <Hints
        rows={[
          ['click', 'choose a unit; then an empty tile sends it there'],
          ['Enter', 'the same at the cross'],
          ['N, Shift N', 'next unit, the one before'],
          ['T or .', 'end the turn'],
          [',', 'take back'],
          ['Space', 'end turns until all have arrived'],
          ['X', 'halt the chosen unit'],
          ['Delete', 'remove it'],
        ]}
      />
    </>
  );
}

function Begin() {
  const busy = turns.pane.status.value === 'busy';
  const rules = turns.rules.value;
  const set = (part: Partial<typeof rules>) => (turns.rules.value = { ...rules, ...part });
  return (
    <section aria-label="Game">
      <label class="entry">
        <span>neighbours</span>
        <select value={rules.neighbours} onChange={(event) => set({ neighbours: Number(event.currentTarget.value) })}>
          <option value={4}>4, squares</option>
          <option value={8}>8, squares</option>
          <option value={6}>6, hexagons</option>
        </select>
      </label>
      <label class="entry">
        <span>a turn is</span>
        <select value={rules.steps ? 'steps' : 'points'} onChange={(event) => set({ steps: event.currentTarget.value === 'steps' })}>
          <option value="points">movement points</option>
          <option value="steps">one tile, at any cost</option>
        </select>
      </label>
      <div class="row">
        <button class="main" title="F5" onClick={turns.begin}>
          {busy ? 'New game' : 'Start'}
        </button>
        <button onClick={() => turns.beginRandom(seed.value++)}>Random map</button>
      </div>
      {!busy && turns.pane.words.value !== '' && <p class={turns.pane.status.value}>{turns.pane.words.value}</p>}
    </section>
  );
}

function EndTurn() {
  return (
    <section aria-label="Turn">
      <div class="row">
        <button class="main" title="T" onClick={turns.endTurn}>
          End turn
        </button>
        <output aria-label="turn" class="turn">
          turn {turns.game.value!.turn}
        </output>
        <button title="Space" onClick={clock.toggle}>
          {clock.playing.value ? 'Pause' : 'Play'}
        </button>
      </div>
      <div class="row">
        <button title="," disabled={turns.game.value!.undo === 0} onClick={turns.undo}>
          Take back
        </button>
        <button disabled={turns.game.value!.redo === 0} onClick={turns.redo}>
          Do again
        </button>
      </div>
      <p aria-live="polite" class="words">
        {turns.words.value}
      </p>
    </section>
  );
}

function Hands() {
  const now = tool.value;
  return (
    <section aria-label="What a click does">
      <div class="row">
        <Toggle on={now === mover} onClick={() => (tool.value = mover)}>
          order
        </Toggle>
        <Toggle on={now === painter} onClick={() => (tool.value = painter)}>
          change tiles
        </Toggle>
        <Toggle on={now === adder} onClick={() => (tool.value = adder)}>
          add units
        </Toggle>
      </div>
      {now === painter && (
        <label class="entry">
          <span>paint</span>
          <select value={brush.value} onChange={(event) => (brush.value = event.currentTarget.value)}>
            {TERRAIN.map((name) => (
              <option key={name}>{name}</option>
            ))}
            {Object.keys(turns.game.value!.costs).map((name) => (
              <option key={name} value={`+${name}`}>
                {name}
              </option>
            ))}
            <option value="+">no feature</option>
          </select>
        </label>
      )}
      {now === adder && (
        <label class="entry">
          <span>points a turn</span>
          <input
            type="number"
            min={1}
            step={1}
            value={points.value}
            onChange={(event) => (points.value = Math.max(1, Math.round(Number(event.currentTarget.value) || 1)))}
          />
        </label>
      )}
    </section>
  );
}

/** On the right: the chosen unit. */
export function GameUnitFacts() {
  const game = turns.game.value;
  const unit = game?.units.find((one) => one.name === turns.chosen.value);
  if (game === null) return null;
  if (unit === undefined) return <p class="quiet">Click a unit, then an empty tile.</p>;
  const at = (tile: Place | null) => (tile === null ? null : `${tile[0]}, ${tile[1]}`);
  return (
    <section aria-label="The chosen unit">
      <h2>unit {unit.name}</h2>
      <Numbers
        label="unit"
        rows={[
          ['tile', at(unit.at)],
          ['movement points', unit.points],
          ['left after this turn', unit.next === null ? unit.points : unit.next.left],
          ['goal', at(unit.goal)],
          ['state', stateOf(unit)],
          ['tiles to go', unit.tiles.length],
        ]}
      />
      <div class="row">
        <button title="X" disabled={unit.goal === null} onClick={turns.halt}>
          Halt
        </button>
        <button title="Delete" onClick={turns.remove}>
          Remove
        </button>
      </div>
    </section>
  );
}
