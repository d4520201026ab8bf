// What the server knows: methods with their options, generators, overlays, terrain. See `anabasis/studio/tables.py`.

export type Value = string | number | boolean | null;

export interface Field {
  name: string;
  kind: 'bool' | 'int' | 'float' | 'choice' | 'text';
  default: Value;
  choices?: string[];
  low?: number | null;
  high?: number | null;
  help?: string;
}

export interface Method {
  name: string;
  family: string;
  summary: string;
  when: string;
  source: string;
  optimal: boolean;
  complete: boolean;
  seeded: boolean;
  options: Field[];
}

export interface Generator {
  name: string;
  family: string;
  summary: string;
  least: number;
  parameters: Field[];
}

export interface Overlay {
  name: string;
  title: string;
  needs?: string;
  parameters: Field[];
}

export interface Terrain {
  letter: string;
  name: string;
  /** What a step onto it costs each movement class; null: it can't be entered. */
  prices?: Record<string, number | null>;
}

export interface Tables {
  families: { name: string; title: string; summary: string }[];
  methods: Method[];
  generators: Generator[];
  overlays: Overlay[];
  terrain: Terrain[];
  movements: string[];
  formations: { shapes: string[]; modules: Field[] };
  /** Forms of a scenario's limits and steering. */
  limits?: Field[];
  steering?: Field[];
  /** Endings of the names of files that drafts are saved as. */
  saved: string[];
  /** Cells of the longest side of a map that a generator makes. */
  side: number;
}

/** The values that a form begins with. */
export const defaults = (fields: Field[]): Record<string, Value> =>
  Object.fromEntries(fields.map((field) => [field.name, field.default]));

/** Only what differs from the defaults: what belongs into a request. */
export function changed(fields: Field[], values: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(
    fields.filter((field) => field.name in values && values[field.name] !== field.default).map((field) => [field.name, values[field.name]]),
  );
}
