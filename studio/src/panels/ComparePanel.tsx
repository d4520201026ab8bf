export function ComparePanel() {
  return <p class="quiet">…</p>;
}
