export function EditPanel() {
  return <p class="quiet">…</p>;
}
