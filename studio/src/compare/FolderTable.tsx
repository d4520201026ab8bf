// The table of a results folder, with a button for each run that was kept.
import { useState } from 'preact/hooks';
import { valueText } from '../panels/Facts';
import * as store from '../store';
import { openRun } from './folder';
import { columns } from './rows';

const MOST = 500; // rows

export function FolderTable() {
  const [all, setAll] = useState(false);
  const table = store.results.value;
  if (table === null) return null;
  const shown = columns(table, all);
  const link = table.columns.indexOf('trace');
  return (
    <section aria-label="Results folder">
      <h2>
        {table.title}: {table.done} of {table.total} runs{table.done < table.total && ', goes on'}
      </h2>
      {table.done < table.total && <progress aria-label="runs that are over" max={table.total} value={table.done} />}
      <label class="entry check">
        <input type="checkbox" checked={all} onChange={() => setAll(!all)} />
        <span>all columns</span>
      </label>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of the runs">
        <table>
          <thead>
            <tr>
              <th scope="col">run</th>
              {shown.map((k) => (
                <th scope="col" key={k}>
                  {table.columns[k].replaceAll('_', ' ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.slice(0, MOST).map((row, r) => (
              <tr key={r} title={table.reasons?.[r] || undefined}>
                <td>
                  {row[link] !== null && (
                    <button class="link" aria-label={`show the run of ${row.slice(0, 3).join(', ')}`} onClick={() => void openRun(table, row)}>
                      show
                    </button>
                  )}
                </td>
                {shown.map((k) => (
                  <td key={k}>{valueText(row[k])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.rows.length > MOST && <p class="quiet small">The first {MOST} runs of {table.rows.length}.</p>}
    </section>
  );
}
