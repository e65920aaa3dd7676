import { countryOf } from '../../../../runtime/country.ts';
import { isObject, type JsonObject } from '../../../../runtime/json.ts';
import type { OrderFacts } from '../../platform.ts';
import type { RemoteLine } from '../sync/remote-return.ts';

/** Converts an instant with any offset to UTC, the form of the contract. Undefined for other values. */
export const instant = (value: unknown): string | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const text = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // Years beyond four digits have a sign, which the contract does not allow.
  return /^\d{4}-/.test(text) ? text : undefined;
};

/** Matches a day with an optional time, with any number of digits of a second, and its offset. */
const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*\s*(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Converts an instant like `instant`, for platforms that omit the offset and mean UTC.
 * A parser would use the local time zone. Some platforms write the year 0 or 1 for a missing time.
 */
export const utcInstant = (value: unknown): string | undefined => {
  const [, day, time = '00:00:00', zone = 'Z'] =
    (typeof value === 'string' && value.length <= 50 && form.exec(value)) || [];
  return day === undefined || day < '1970' ? undefined : instant(`${day}T${time}${zone}`);
};

/** Returns the latest instant. */
export const latest = (instants: readonly (string | undefined)[]): string | undefined =>
  instants
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);

/** Returns text that the contract accepts: not empty, cut to the length of the field. */
export const clip = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, length).toWellFormed() : undefined;

/** Returns a web address in the form of the contract. */
export const webAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/.test(value) ? value : undefined;

/** Returns an external id in the form of the contract: up to 200 printable characters, without spaces. */
export const platformId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;

/**
 * Returns a reference of a payment provider in the form of the contract.
 * It has up to 200 letters, digits and a few signs.
 */
export const providerReference = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9._:/#+=|~-]{1,200}$/.test(value) ? value : undefined;

/** Returns a country code in capitals (ISO 3166-1 alpha-2); undefined for an invalid code, such as ZZ. */
export const countryCode = (value: unknown): string | undefined =>
  typeof value === 'string' ? countryOf(value) : undefined;

/* Readers of untrusted JSON, field by field. A field that is absent or has another type is undefined. */

/** Returns a text of a form. */
export const textMatching = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

/** Returns the objects of a list; empty for other values. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Returns an object; empty for other values. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns an id of a database, from 1: 0 is no id. A number that has lost digits is no id either. */
export const idOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,29}$/.test(text) ? text : undefined;
};

/** Returns a fact if it is defined, so that absent fields stay absent. */
export const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };

/** The platform's reason of a line: its word, the label of the word, and a note. */
type ReportedReason = {
  readonly system: string;
  readonly word?: string | undefined;
  readonly label?: unknown;
  readonly note?: unknown;
};

/** Returns the reason of a line by our code. The platform's own word is stored as the source. */
export const reasonBy = (code: string, { system, word, label, note }: ReportedReason): RemoteLine['reason'] => ({
  code,
  ...optional('note', clip(note, 4000)),
  ...(word !== undefined && { source: { system, code: word, ...optional('label', clip(label, 500)) } }),
});

/** The buyer: a platform's id, and the reported address and names. */
type ReportedCustomer = {
  readonly id?: string | undefined;
  readonly email?: unknown;
  /** In spoken order; values that are no text are left out. */
  readonly names?: readonly unknown[];
  /** The names of the billing address, for a guest or a customer without a name. The goods may go to another person. */
  readonly billedNames?: readonly unknown[];
};

const joinedName = (names: readonly unknown[]): string | undefined =>
  clip(names.flatMap((name) => clip(name, 200) ?? []).join(' '), 200);

/** Returns the customer of an order; undefined if nothing is reported. */
export const customerFacts = ({
  id,
  email,
  names = [],
  billedNames = [],
}: ReportedCustomer): OrderFacts['customer'] => {
  const facts = {
    ...optional('id', id),
    ...optional('email', clip(email, 320)),
    ...optional('name', joinedName(names) ?? joinedName(billedNames)),
  };
  return Object.keys(facts).length === 0 ? undefined : facts;
};

/** Returns the destination of an order by country code (ISO 3166-1); undefined for an invalid one. */
export const destinationFacts = (country: unknown, region: unknown): OrderFacts['destination'] => {
  const code = countryCode(country);
  return code === undefined ? undefined : { country: code, ...optional('region', clip(region, 100)) };
};
