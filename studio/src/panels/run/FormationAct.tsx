export function FormationAct() {
  return null;
}

export function FormationNumbers() {
  return null;
}
