/** A field of a resource before and after a change, as short texts. */
export type Change = { readonly name: string; readonly from: string; readonly to: string };

const maxLength = 80;

/** A person who looks at a conflict needs the first changes, not all. */
const maxChanges = 12;

/** Every change has these. They tell a person nothing. */
const bookkeeping: ReadonlySet<string> = new Set(['version', 'updatedAt']);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

const changesAt = (name: string, before: unknown, after: unknown): Change[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(after) || (before !== undefined && !isRecord(before)))
    return [{ name, from: textOf(before), to: textOf(after) }];
  const old = before ?? {};
  return [...new Set([...Object.keys(old), ...Object.keys(after)])]
    .filter((field) => name !== '' || !bookkeeping.has(field))
    .flatMap((field) => changesAt(name === '' ? field : `${name}.${field}`, old[field], after[field]));
};

/** Returns the fields that differ between two states of a resource. */
export const changesOf = (before: object, after: object): readonly Change[] =>
  changesAt('', before, after).slice(0, maxChanges);
