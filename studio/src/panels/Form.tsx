// A form made from a table: one field for each option, with its default, its range and its help.
import type { Field, Value } from '../tables';

interface Props {
  fields: Field[];
  values: Record<string, Value>;
  change: (values: Record<string, Value>) => void;
}

export function Form({ fields, values, change }: Props) {
  return (
    <div class="form">
      {fields.map((field) => (
        <Entry key={field.name} field={field} value={values[field.name] ?? field.default} change={(value) => change({ ...values, [field.name]: value })} />
      ))}
    </div>
  );
}

function Entry({ field, value, change }: { field: Field; value: Value; change: (value: Value) => void }) {
  const id = `field-${field.name}`;
  const label = field.name.replaceAll('_', ' ');
  if (field.kind === 'bool') {
    return (
      <label class="entry check" title={field.help}>
        <input type="checkbox" checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
        <span>{label}</span>
      </label>
    );
  }
  if (field.kind === 'choice') {
    return (
      <label class="entry" title={field.help}>
        <span>{label}</span>
        <select value={`${value ?? ''}`} onChange={(event) => change(event.currentTarget.value || null)}>
          {field.default === null && <option value="">default</option>}
          {field.choices!.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </label>
    );
  }
  if (field.kind === 'text') {
    return (
      <label class="entry" title={field.help}>
        <span>{label}</span>
        <input type="text" value={`${value ?? ''}`} onChange={(event) => change(event.currentTarget.value)} />
      </label>
    );
  }
  const whole = field.kind === 'int';
  const ranged = typeof field.low === 'number' && typeof field.high === 'number' && field.high - field.low < 1e6;
  const step = whole ? 1 : ranged ? (field.high! - field.low!) / 100 : 'any';
  const take = (text: string) => {
    const number = Number(text);
    if (text === '') change(field.default);
    else if (Number.isFinite(number)) change(whole ? Math.round(number) : number);
  };
  return (
    <div class="entry" title={field.help}>
      <label for={id}>{label}</label>
      {ranged && (
        <input
          type="range"
          aria-label={label}
          min={field.low!}
          max={field.high!}
          step={step}
          value={Number(value ?? field.low)}
          onInput={(event) => take(event.currentTarget.value)}
        />
      )}
      <input
        id={id}
        type="number"
        min={field.low ?? undefined}
        max={field.high ?? undefined}
        step={whole ? 1 : 'any'}
        value={value === null ? '' : Number(Number(value).toPrecision(6))}
        placeholder={field.default === null ? 'automatic' : undefined}
        onChange={(event) => take(event.currentTarget.value)}
      />
    </div>
  );
}
