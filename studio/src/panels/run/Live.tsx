// A live run: start it, give orders while it goes on, and have it again with the same orders.
import * as live from '../../act/live';
import { commander, letter, painter } from '../../act/orders';
import { isOrder, toldText } from '../../act/told';
import * as clock from '../../clock';
import { css, GROUPS } from '../../stage/palette';
import * as store from '../../store';
import { tool } from '../../tools';
import { Overlays } from '../Overlays';
import { Colours } from './Legend';
import { Hints, Toggle, useActing } from './parts';
import { Switches } from './Playback';

export function Live() {
  useActing({ hand: commander, driver: live.driver, begin: live.begin, enter: live.enter });
  return (
    <>
      <Begin />
      <Pace />
      <Orders />
      <Record />
      <Colours pane={live.pane} />
      <Switches />
      <Overlays pane={live.pane} />
      <Hints
        rows={[
          ['click, drag a box', 'choose a unit, or several; shift adds'],
          ['double click', 'choose the whole group'],
          ['right click', 'send who is chosen'],
          ['drag who is chosen', 'the same with one button'],
          ['shift right click', 'a stop on the way'],
          ['N, G, A', 'choose the next unit, the next group, all'],
          ['Enter, W', 'send to the cross, or a stop there'],
          ['Delete', 'remove who is chosen'],
          ['Space', 'go on, or pause'],
          ['. and ,', 'a step on, or back'],
        ]}
      />
    </>
  );
}

function Begin() {
  const tables = store.tables.value;
  const { pane } = live;
  const request = pane.request.value;
  const methods = tables?.methods.filter((method) => method.family === 'group') ?? [];
  return (
    <section aria-label="Live run">
      <label class="entry">
        <span>method</span>
        <select value={request.method} onChange={(event) => (pane.request.value = { ...request, method: event.currentTarget.value })}>
          {methods.map((method) => (
            <option key={method.name}>{method.name}</option>
          ))}
        </select>
      </label>
      <div class="row">
        <button class="main" title="F5" onClick={() => live.begin()}>
          {live.going.value ? 'Start again' : 'Start'}
        </button>
        {live.going.value && <button onClick={live.stop}>End</button>}
      </div>
      {live.old.value && <p class="quiet">The scenario has been edited since: start again to see it.</p>}
      <p aria-live="polite" class="words">
        {live.going.value && pane.run.value === null && 'planning …'}
        {!live.going.value && pane.words.value !== '' && <span class={pane.status.value}>{pane.words.value}</span>}
        {live.ended.value !== '' && <strong>{live.ended.value}</strong>}
      </p>
    </section>
  );
}

function Pace() {
  if (live.pane.run.value === null) return null;
  return (
    <section aria-label="Time">
      <div class="row">
        <button class="main" title="Space" disabled={!live.going.value || live.ended.value !== ''} onClick={clock.toggle}>
          {clock.playing.value ? 'Pause' : 'Go on'}
        </button>
        <button title="," aria-label="10 steps back" disabled={!live.going.value} onClick={() => clock.step(-10)}>
          −10
        </button>
        <button title="." aria-label="10 steps on" disabled={!live.going.value} onClick={() => clock.step(10)}>
          +10
        </button>
        <Toggle on={live.hurried.value} title="as fast as this machine can" onClick={() => (live.hurried.value = !live.hurried.value)}>
          fast
        </Toggle>
      </div>
    </section>
  );
}

function Orders() {
  const run = live.pane.run.value;
  if (run === null || !live.going.value) return null;
  const chosen = live.chosen.value.size;
  const painting = tool.value === painter;
  return (
    <section aria-label="Orders">
      <h2>orders</h2>
      <div class="row">
        <Toggle on={!painting} onClick={() => (tool.value = commander)}>
          send units
        </Toggle>
        <Toggle on={painting} onClick={() => (tool.value = painter)}>
          paint
        </Toggle>
      </div>
      {painting ? (
        <label class="entry">
          <span>paint</span>
          <select value={letter.value} onChange={(event) => (letter.value = event.currentTarget.value)}>
            <option value="@">wall: closes</option>
            <option value=".">ground: opens</option>
            {(store.tables.value?.terrain ?? [])
              .filter((row) => !'@.'.includes(row.letter))
              .map((row) => (
                <option key={row.letter} value={row.letter}>
                  {row.name}
                </option>
              ))}
          </select>
        </label>
      ) : (
        <>
          <div class="row">
            {run.groups.map((group) => (
              <button key={group} class="group" onClick={(event) => live.choose(live.unitsOf(run, group), event.shiftKey)}>
                <span class="swatch dot" style={{ background: css(GROUPS[group % 8]) }} />
                {run.head.groups[group] || `group ${group}`}
              </button>
            ))}
          </div>
          <p class="quiet" role="status">
            {chosen === 0 ? 'Choose units, then click the right button where they shall go.' : `${chosen} chosen`}
            {live.stops.value.length > 0 && `, ${live.stops.value.length} stops set`}
          </p>
          <label class="entry">
            <span>target radius</span>
            <input
              type="number"
              min={0}
              step="any"
              placeholder="room for all"
              value={live.radius.value || ''}
              onChange={(event) => (live.radius.value = Math.max(0, Number(event.currentTarget.value) || 0))}
            />
          </label>
          <div class="row">
            <button disabled={chosen === 0} title="Delete" onClick={live.remove}>
              Remove
            </button>
            <button disabled={live.stops.value.length === 0} onClick={() => live.send()}>
              Send along the stops
            </button>
          </div>
        </>
      )}
      <p aria-live="polite" class="words">
        {live.words.value}
      </p>
    </section>
  );
}

function Record() {
  const told = live.told.value;
  if (told.length === 0) return null;
  return (
    <section aria-label="What was told">
      <h2>told so far</h2>
      <ol class="told">
        {told.map((one, k) => (
          <li key={k}>
            <span class="step">{one.step}</span> {isOrder(one) && '→ '}
            {toldText(one)}
          </li>
        ))}
      </ol>
      <button onClick={() => live.begin(told)}>Run again with these orders</button>
    </section>
  );
}
