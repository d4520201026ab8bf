// What a value from outside has to look like, before it is taken for one of ours.

/** A kind of number, text or switch, a list of such, or a record; what a key that ends in `?` names may be missing, or null. */
export type Shape = 'number' | 'string' | 'boolean' | 'any' | 'place' | readonly [Shape] | { readonly [key: string]: Shape };

/** Where a value differs from a shape, as `groups.2.radius`; null if it fits. */
export function misfit(value: unknown, shape: Shape, at = ''): string | null {
  if (shape === 'any') return null;
  if (shape === 'place') return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) ? null : at;
  if (shape === 'number') return Number.isFinite(value) ? null : at;
  if (typeof shape === 'string') return typeof value === shape ? null : at;
  const under = (key: string | number) => (at === '' ? `${key}` : `${at}.${key}`);
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return at;
    return first(value.map((one, k) => () => misfit(one, shape[0] as Shape, under(k))));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return at;
  return first(
    Object.entries(shape).map(([key, wanted]) => () => {
      const name = key.replace(/\?$/, '');
      const found = (value as Record<string, unknown>)[name];
      return (found === undefined || found === null) && name !== key ? null : misfit(found, wanted, under(name));
    }),
  );
}

function first(checks: (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}
