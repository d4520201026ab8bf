// The results of what is compared: curves, a table, and what it is worth.
import type { Pane } from '../pane';
import * as clock from '../clock';
import { Facts, valueText } from '../panels/Facts';
import { css } from '../stage/palette';
import * as store from '../store';
import { colourOf } from './colours';
import * as contest from './contest';
import { Curves } from './Curves';
import { FolderTable } from './FolderTable';
import { alike, best, rowOf, type Measure, type Row } from './measures';
import './compare.css';

const MEASURES: { name: Measure; title: string; help: string }[] = [
  { name: 'last', title: 'last', help: 'step of the last arrival' },
  { name: 'mean', title: 'mean', help: 'step at which units arrive, on average' },
  { name: 'collisions', title: 'collided', help: 'collisions with walls and units, of a unit that arrived, on average' },
];

export function Results() {
  const panes = contest.all.value;
  const rows = panes.map((pane) =>
    rowOf({
      request: pane.request.value,
      status: pane.status.value,
      words: pane.words.value,
      run: pane.run.value,
      facts: pane.facts.value,
      sheets: pane.sheets.value,
    }),
  );
  const made = panes.filter((pane) => pane.run.value !== null).map((pane) => ({ draft: pane.draft.value, seed: pane.run.value!.head.seed ?? pane.request.value.seed }));
  const fair = made.length > 1 && alike(made);
  const marks = MEASURES.map(({ name }) => (fair ? best(rows, name) : new Set<number>()));
  return (
    <>
      {made.length > 0 && <Curves panes={panes} />}
      <div class="wide" tabIndex={0} role="region" aria-label="Table of the methods">
        <table class="results">
          <caption class="quiet">
            <span>arrived and under way at step {Math.round(clock.time.value)}; the rest of the whole run</span>
          </caption>
          <thead>
            <tr>
              <th scope="col">method</th>
              <th scope="col" title="how many have arrived at this step">
                arrived
              </th>
              <th scope="col" title="how many are neither there nor removed at this step">
                on way
              </th>
              {MEASURES.map(({ name, title, help }) => (
                <th scope="col" key={name} title={help}>
                  {title}
                </th>
              ))}
              <th scope="col" title="seconds that the planning took, by the clock">
                plan, s
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, k) => (
              <Line key={panes[k].id} pane={panes[k]} row={row} number={k} best={MEASURES.map((_, m) => marks[m].has(k))} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet small">{worth(rows, made.length, fair)}</p>
      <FolderTable />
      {panes.map((pane) =>
        pane.facts.value.length === 0 ? null : (
          <details key={pane.id}>
            <summary>{pane.run.value?.head.method ?? pane.request.value.method}: everything measured</summary>
            <Facts pane={pane} />
          </details>
        ),
      )}
    </>
  );
}

/** What the marks mean, or why there are none. */
function worth(rows: Row[], runs: number, fair: boolean): string {
  if (runs < 2) return 'The best is marked once two runs are over.';
  if (!fair) return 'These runs were made of different drafts or seeds, so none is marked as the best. Run all of them again.';
  const short = rows.some((row) => row.status === 'done' && row.arrived < row.units);
  const left = short ? ' Runs that leave units behind are not among the best.' : '';
  return `Bold: the best of this one run.${left} Times of planning are not ranked, since the methods ran at the same time. One seed is no proof: “anabasis compare” runs many, with intervals.`;
}

function Line({ pane, row, number, best }: { pane: Pane; row: Row; number: number; best: boolean[] }) {
  const run = pane.run.value;
  void pane.come.value;
  const staged = store.panes.value.includes(pane);
  const now = run === null ? null : run.arrivedBy(clock.time.value);
  return (
    <tr>
      <th scope="row">
        <span class="swatch dot" style={{ background: css(colourOf(number, store.theme.value)) }} />
        {row.method}
        {!staged && (
          <button class="link" onClick={() => contest.stage(pane)}>
            show
          </button>
        )}
      </th>
      {run === null ? (
        <td colSpan={6} class={`state ${row.status}`}>
          {row.status === 'busy' ? (pane.progress.value?.text ?? 'busy') : row.status === 'idle' ? 'not run yet' : row.words || row.status}
        </td>
      ) : (
        <>
          <td>
            {now}/{row.units}
          </td>
          <td>{run.underWay(clock.time.value)}</td>
          {MEASURES.map(({ name }, m) => (
            <td key={name}>{best[m] ? <strong title="best">{short(row[name])}</strong> : short(row[name])}</td>
          ))}
          <td>{row.planning === null ? '–' : Number(row.planning.toPrecision(2))}</td>
        </>
      )}
    </tr>
  );
}

const short = (value: number | null) => valueText(value === null ? null : Number.isInteger(value) ? value : Math.round(value * 10) / 10);
