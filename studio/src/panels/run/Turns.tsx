export function Turns() {
  return null;
}
