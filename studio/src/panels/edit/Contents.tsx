// What the draft holds, beside the map while it is drawn.
import { contentsOf } from '../../edit/contents';
import { free } from '../../edit/state';
import * as store from '../../store';

export function Contents() {
  return (
    <section aria-label="Contents of the draft">
      <h2>what is drawn</h2>
      <dl>
        {contentsOf(store.draft.value, store.cells.value, free.value).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
