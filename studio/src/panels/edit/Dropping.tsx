// What is seen while a file is dragged over the page, or read.
import { hovering, reading } from '../../edit/files';

export function Dropping() {
  if (hovering.value) return <div class="dropping">Drop it to open it</div>;
  if (reading.value !== '') {
    return (
      <div class="dropping" role="status">
        {reading.value} is being read …
      </div>
    );
  }
  return null;
}
