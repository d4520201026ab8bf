// Formations: their shape, and how they march.
import type { Formation } from '../../draft';
import { marching, next, withFormation } from '../../edit/formations';
import { colourOf } from '../../edit/state';
import { css } from '../../stage/palette';
import { sizeOf, titleOf } from '../../edit/marching';
import * as store from '../../store';
import { changed, defaults } from '../../tables';
import { Form } from '../Form';
import { Icon } from '../Icon';
import { NumberEntry } from './NumberEntry';

type Look = Pick<Formation, 'shape' | 'units' | 'spacing' | 'area' | 'modules'>;

export function FormationsForm() {
  const draft = store.draft.value;
  const { formations } = draft;
  const number = marching.value;
  const one = formations[number];
  const remove = (gone: number) => {
    store.edit({ ...draft, formations: formations.filter((_, k) => k !== gone) });
    marching.value = -1;
  };
  return (
    <section aria-label="Formations">
      {formations.length > 0 && <h2>formations</h2>}
      <ul class="rows">
        {formations.map((formation, k) => (
          <li key={k}>
            <button class="pick" aria-pressed={k === number} onClick={() => (marching.value = k === number ? -1 : k)}>
              <span class="swatch dot" style={{ background: css(colourOf(k)) }} />
              <span class="name">{titleOf(formation)}</span>
              <span class="much">{sizeOf(formation)}</span>
            </button>
            <button aria-label={`remove formation ${k + 1}`} title="remove" onClick={() => remove(k)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <h2>{one === undefined ? 'the next formation' : `formation ${number + 1}`}</h2>
      {one === undefined ? (
        <LookForm key="next" look={next.value} change={(part) => (next.value = { ...next.value, ...part })} />
      ) : (
        <>
          <LookForm key={number} look={one} change={(part) => store.edit(withFormation(draft, number, part))} />
          <NumberEntry
            name="faces"
            help="degrees clockwise from north"
            value={one.azimuth ?? 0}
            step="any"
            change={(azimuth) => store.edit(withFormation(draft, number, { azimuth: ((azimuth % 360) + 360) % 360 }))}
          />
          <Way formation={one} number={number} />
          <button onClick={() => (marching.value = -1)}>What the next one is like</button>
        </>
      )}
    </section>
  );
}

function LookForm({ look, change }: { look: Look; change: (part: Partial<Look>) => void }) {
  const tables = store.tables.value;
  const fields = tables?.formations.modules ?? [];
  return (
    <>
      {look.shape !== undefined && (
        <>
          <label class="entry">
            <span>shape</span>
            <select value={look.shape} onChange={(event) => change({ shape: event.currentTarget.value })}>
              {(tables?.formations.shapes ?? [look.shape]).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <NumberEntry name="units" value={look.units ?? 1} low={1} high={2000} change={(units) => change({ units })} />
          {look.area === undefined && <NumberEntry name="spacing" help="cells between the two that are closest" value={look.spacing ?? 2} low={0.5} high={50} step="any" change={(spacing) => change({ spacing })} />}
        </>
      )}
      <details>
        <summary>how it marches</summary>
        <Form
          fields={fields}
          values={{ ...defaults(fields), ...look.modules }}
          change={(values) => change({ modules: changed(fields, values) as Formation['modules'] })}
        />
      </details>
    </>
  );
}

function Way({ formation, number }: { formation: Formation; number: number }) {
  const places = formation.order[0]?.places ?? [];
  if (places.length === 0) return <p class="failed">It has no target yet: click it with the right button, or take the tool for ways.</p>;
  const drop = () => store.edit(withFormation(store.draft.value, number, { order: places.length > 1 ? [{ ...formation.order[0], places: places.slice(0, -1) }] : [] }));
  return (
    <p class="hint">
      Its way has {places.length === 1 ? 'one place' : `${places.length} places`}. <button onClick={drop}>Remove the last</button>
    </p>
  );
}
