export function SharePanel() {
  return <p class="quiet">…</p>;
}
