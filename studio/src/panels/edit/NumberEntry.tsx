// A number with its name; what is no number, or out of range, isn't taken.

interface Props {
  name: string;
  value: number | null;
  change: (value: number) => void;
  low?: number;
  high?: number;
  step?: number | 'any';
  help?: string;
  /** With it an empty field is allowed, and shows these words. */
  empty?: { words: string; change: () => void };
}

export function NumberEntry({ name, value, change, low, high, step = 1, help, empty }: Props) {
  const take = (text: string) => {
    const number = Number(text);
    if (text.trim() === '') empty?.change();
    else if (Number.isFinite(number)) {
      const near = step === 1 ? Math.round(number) : number;
      change(Math.min(Math.max(near, low ?? -Infinity), high ?? Infinity));
    }
  };
  return (
    <label class="entry" title={help}>
      <span>{name}</span>
      <input
        type="number"
        min={low}
        max={high}
        step={step}
        value={value ?? ''}
        placeholder={empty?.words}
        onChange={(event) => {
          take(event.currentTarget.value);
          event.currentTarget.value = `${value ?? ''}`; // a value that wasn't taken goes away
        }}
      />
    </label>
  );
}
