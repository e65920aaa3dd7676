import { type Change, changesOf } from '../api/changes.ts';

/** A field of a resource before and after a change, as short texts. */
export type ChangeLine = { readonly name: string; readonly from: string; readonly to: string };

const maxLength = 80;

/** A person who looks at a conflict needs the first changes, not all. */
const maxLines = 12;

const textOf = (value: unknown): string => {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

const nameOf = ({ path }: Change): string =>
  path.map((step) => (typeof step === 'string' ? step : `${step.list}.${step.id}`)).join('.');

/** Returns the fields that differ between two states of a resource, by the names of the API. */
export const changeLines = (before: object, after: object): readonly ChangeLine[] =>
  changesOf(before, after)
    .slice(0, maxLines)
    .map((change) => ({ name: nameOf(change), from: textOf(change.before), to: textOf(change.after) }));
