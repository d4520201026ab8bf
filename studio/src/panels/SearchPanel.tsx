// A search played step by step: what it did last, and what it knows of a vertex.
import type { Pane } from '../pane';
import { CLOSE, EXPAND, GENERATE, type Search } from '../search';
import * as searching from '../searching';
import { valueText } from './Facts';
import { Icon } from './Icon';

const DEEDS = new Map([
  [GENERATE, 'found'],
  [EXPAND, 'expanded'],
  [CLOSE, 'closed'],
]);

export function SearchPanel({ pane }: { pane: Pane }) {
  const search = pane.search.value;
  if (search === null) return null;
  const steps = Math.min(Math.floor(searching.shownSteps.value), search.steps);
  const known = search.after(steps);
  const last = steps > 0 ? search.vertex[steps - 1] : -1;
  const vertex = searching.watched.value >= 0 ? searching.watched.value : last;
  const numbers = known.get(vertex);
  const expanded = [...known.values()].filter((one) => one.state === 'expanded').length;
  return (
    <section aria-label="Search, step by step" class="searching">
      <h2>search, step by step</h2>
      <label class="entry check">
        <input type="checkbox" checked={pane.shown.value.has('search')} onChange={() => pane.toggle('search')} />
        <span>shown</span>
      </label>
      <input type="range" aria-label="steps of the search" min={0} max={search.steps} value={steps} onInput={(event) => searching.show(Number(event.currentTarget.value))} />
      <div class="row">
        <button aria-label="search: to the beginning" onClick={() => searching.show(0)}>
          <Icon name="first" />
        </button>
        <button aria-label="search: one step back" onClick={() => searching.move(search, -1)}>
          <Icon name="back" />
        </button>
        <button aria-label={searching.running.value ? 'search: pause' : 'search: play'} onClick={() => (searching.running.value ? searching.halt() : searching.play(search))}>
          <Icon name={searching.running.value ? 'pause' : 'play'} />
        </button>
        <button aria-label="search: one step on" onClick={() => searching.move(search, 1)}>
          <Icon name="on" />
        </button>
        <button aria-label="search: to the end" onClick={() => searching.show(search.steps)}>
          <Icon name="last" />
        </button>
        <label class="pace">
          <input type="number" aria-label="steps of the search a second" min={1} max={100000} value={searching.pace.value} onChange={(event) => (searching.pace.value = Math.max(1, Number(event.currentTarget.value)))} />
          /s
        </label>
      </div>
      <dl>
        <Line name="step" value={`${steps} of ${search.steps}`} />
        <Line name="expanded" value={`${expanded}`} />
        <Line name="open" value={`${known.size - expanded}`} />
        {steps > 0 && <Line name="last" value={`${DEEDS.get(search.event[steps - 1]) ?? 'changed'} ${placeText(search, last)}`} />}
        {numbers !== undefined && (
          <>
            <Line name="of" value={placeText(search, vertex)} />
            <Line name="g" value={valueText(numbers.g)} />
            <Line name="h" value={valueText(numbers.h)} />
            <Line name="f = g + h" value={valueText(numbers.g + numbers.h)} />
            <Line name="parent" value={numbers.parent >= 0 ? placeText(search, numbers.parent) : 'none'} />
          </>
        )}
      </dl>
      <p class="quiet">Click a place on the map to see its numbers; zoom in to see those of all.</p>
    </section>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function placeText(search: Search, vertex: number): string {
  const [x, y] = search.place(vertex);
  return search.points.length > 0 ? `${x.toFixed(1)}, ${y.toFixed(1)}` : `${Math.floor(x)}, ${Math.floor(y)}`;
}
