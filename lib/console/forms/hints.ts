import type { ConsoleForms } from '../../contract/console.ts';

/** Returns the forms with each hint as `change` returns it. Undefined removes the hint. */
export const mapHints = (forms: ConsoleForms, change: (hint: string) => string | undefined): ConsoleForms =>
  JSON.parse(JSON.stringify(forms), (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? change(value) : value,
  ) as ConsoleForms;

/** Returns the hints of all forms, each once. Their order is the order of a translation. */
export const hintsOf = (forms: ConsoleForms): readonly string[] => {
  const hints = new Set<string>();
  mapHints(forms, (hint) => {
    hints.add(hint);
    return hint;
  });
  return [...hints];
};

/** Returns the forms with translated hints, which have the order of `hintsOf`. */
export const withHints = (forms: ConsoleForms, hints: readonly string[]): ConsoleForms => {
  const translated = new Map(hintsOf(forms).map((hint, index) => [hint, hints[index]]));
  return mapHints(forms, (hint) => translated.get(hint) ?? hint);
};
