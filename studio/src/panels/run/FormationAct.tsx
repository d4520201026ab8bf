export function FormationAct() {
  return null;
}
