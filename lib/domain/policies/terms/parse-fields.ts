import { suggestion } from '../../../runtime/nearest.ts';

/** Returns the message about an invalid value; undefined when it is valid. */
export type FieldRule = (value: unknown) => string | undefined;
export type FieldShape = { readonly [field: string]: FieldRule | FieldShape };

type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isWholeNumberUpTo = (value: unknown, maximum: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maximum;

/** Accepts any value that is checked elsewhere. */
export const anyValue: FieldRule = () => undefined;

export const oneOf =
  (...words: readonly string[]): FieldRule =>
  (value) =>
    words.some((word) => word === value) ? undefined : `must be one of ${words.join(', ')}`;

export const upTo =
  (maximum: number): FieldRule =>
  (value) =>
    isWholeNumberUpTo(value, maximum) ? undefined : `must be a whole number from 0 to ${maximum}`;

export const orNull =
  (rule: FieldRule): FieldRule =>
  (value) =>
    value === null ? undefined : rule(value);

/** One step of a JSON Pointer (RFC 6901, section 3). */
export const pointerStep = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** An error names no more fields than this. */
const maxErrors = 20;

/** Returns each invalid field of an object, with its JSON Pointer. */
const fieldErrors = (changes: unknown, shape: FieldShape, parentPath: string): readonly string[] => {
  if (!isMembers(changes)) return [`${parentPath || '/'} must be an object`];
  return Object.entries(changes).flatMap(([field, value]): readonly string[] => {
    const at = `${parentPath}${pointerStep(field)}`;
    const rule = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (rule === undefined) {
      const names = Object.keys(shape);
      return [`${at} is not a known term; the terms are ${names.join(', ')}.${suggestion(field, names)}`];
    }
    if (typeof rule !== 'function') return fieldErrors(value, rule, at);
    const error = rule(value);
    return error === undefined ? [] : [`${at} ${error}`];
  });
};

const mergeValid = (known: unknown, changes: Members, shape: FieldShape): Members => {
  const before = isMembers(known) ? known : {};
  const fields = Object.entries(changes).map(([field, value]): [string, unknown] => {
    const rule = shape[field];
    return [field, typeof rule === 'object' && isMembers(value) ? mergeValid(before[field], value, rule) : value];
  });
  return { ...before, ...Object.fromEntries(fields) };
};

/**
 * Merges given fields over known ones: absent fields keep their value.
 *
 * @param parentPath the JSON Pointer of the given fields
 * @throws Error with the JSON Pointers of the invalid fields
 */
export const mergeFields = (known: unknown, changes: unknown, shape: FieldShape, parentPath: string): Members => {
  const errors = fieldErrors(changes, shape, parentPath);
  if (!isMembers(changes) || errors.length > 0) throw new Error(errors.slice(0, maxErrors).join('; '));
  return mergeValid(known, changes, shape);
};
