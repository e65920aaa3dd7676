import { isObject, type JsonObject } from '../../runtime/json.ts';
import { suggestion } from '../../runtime/nearest.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { fieldNamesOf, type Field, fieldsOf } from './platform-fields.ts';

/* What an operator gives for a source, and the entries that follow from it. No error quotes a value. */

/** The fields of a source as given: those of the shop, and those that only write-back uses. */
export type Given = { readonly shop: JsonObject; readonly effects: JsonObject };

export const nothingGiven: Given = { shop: {}, effects: {} };

/** The name of the member with the fields that differ in the secret of write-back. */
const effectsMember = 'effects';

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');

const typeError = ({ type = 'text' }: Field, value: unknown): string | undefined => {
  if (type === 'texts') return isTexts(value) ? undefined : 'must be a list of texts';
  return typeof value === 'string' && value !== '' ? undefined : 'must be a text';
};

const fieldErrors = (
  fields: Readonly<Record<string, Field>>,
  value: JsonObject,
  path: string,
  accepted: readonly string[],
): readonly string[] =>
  Object.entries(value).flatMap(([name, given]) => {
    // An unknown name may be a secret by mistake.
    if (!accepted.includes(name)) {
      const meant = suggestion(name, accepted);
      return [`${path || '/'}: an unknown field.${meant} Accepted: ${accepted.join(', ')}.`];
    }
    const field = fields[name];
    const error = field === undefined ? undefined : typeError(field, given);
    return error === undefined ? [] : [`${path}/${name} ${error}.`];
  });

/** Parses what an operator gives as JSON; the failure has all errors, each with its path. */
export const parseGiven = (
  platform: PlatformName,
  value: unknown,
  writesBack: boolean,
): Result<Given, readonly string[]> => {
  if (!isObject(value)) return fail(['The input must be a JSON object of fields.']);
  const { [effectsMember]: effects = {}, ...shop } = value;
  if (effectsMember in value && !writesBack) return fail([`/${effectsMember} needs --write-back.`]);
  if (!isObject(effects)) return fail([`/${effectsMember} must be an object of fields.`]);
  const fields = fieldsOf(platform);
  const errors = [
    ...fieldErrors(fields, shop, '', [...Object.keys(fields), ...(writesBack ? [effectsMember] : [])]),
    ...fieldErrors(fields, effects, `/${effectsMember}`, fieldNamesOf(platform, 'api')),
  ];
  return errors.length > 0 ? fail(errors) : ok({ shop, effects });
};

/** The entry of a source in each secret of its platform. */
export type Entries = Readonly<Record<'api' | 'webhooks' | 'effects', JsonObject>>;

/** Returns the entries of a source: what is given replaces what is stored, and what has neither gets its fallback. */
export const entriesOf = (
  platform: PlatformName,
  source: string,
  stored: Partial<Entries>,
  { shop, effects }: Given,
): Entries => {
  const half = (name: Field['half']): JsonObject => {
    const held = stored[name] ?? {};
    const own = Object.entries(fieldsOf(platform)).flatMap(([field, { half: of, fallback }]) => {
      if (of !== name) return [];
      const value = shop[field] ?? held[field] ?? fallback?.(source);
      return value === undefined ? [] : [[field, value] as const];
    });
    // A field that this command does not know stays as it is.
    return { ...held, ...Object.fromEntries(own) };
  };
  const api = half('api');
  return { api, webhooks: half('webhooks'), effects: { ...(stored.effects ?? api), ...effects } };
};

/** Returns the fields that a source needs and does not have. */
export const missingFields = (platform: PlatformName, entries: Pick<Entries, 'api' | 'webhooks'>): readonly string[] =>
  Object.entries(fieldsOf(platform)).flatMap(([name, { half, isOptional }]) =>
    isOptional === true || entries[half][name] !== undefined ? [] : [name],
  );
