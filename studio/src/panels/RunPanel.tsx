export function RunPanel() {
  return <p class="quiet">…</p>;
}
