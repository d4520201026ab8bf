// What was measured.
import { csv, download, fileName } from '../share/files';
import type { Pane } from '../pane';
import type { Value } from '../tables';
import { outdated } from '../view';

export function Facts({ pane }: { pane: Pane }) {
  return (
    <section aria-label="Measured values">
      {pane.facts.value.length > 0 && outdated(pane) && <p class="quiet">made of an earlier draft</p>}
      {pane.facts.value.map((fact) => (
        <div key={fact.title}>
          <h2>{fact.title}</h2>
          <dl>
            {fact.rows.map(([name, value, unit]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{unit === 'seconds' ? `${valueText(Number((value as number).toPrecision(3)))} s` : valueText(value)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {pane.sheets.value.map((sheet) => (
        <details key={sheet.title}>
          <summary>{sheet.title}</summary>
          <button onClick={() => download(new Blob([csv(sheet)], { type: 'text/csv' }), fileName(sheet.title, 'csv'))}>Save as CSV</button>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  {sheet.columns.map((column) => (
                    <th key={column}>{column}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {sheet.rows.map((row, k) => (
                  <tr key={k}>
                    {row.map((value, c) => (
                      <td key={c}>{valueText(value)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      ))}
    </section>
  );
}

/** A value for people: few digits, yes or no; of a place both coordinates. */
export function valueText(value: Value | Value[]): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value.toLocaleString('en');
    return Math.abs(value) >= 1000 ? value.toLocaleString('en', { maximumFractionDigits: 1 }) : `${Number(value.toPrecision(5))}`;
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value ?? '–';
}
