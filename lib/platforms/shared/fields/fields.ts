import { countryOf } from '../../../money/country.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import type { OrderFacts } from '../../platform.ts';
import type { RemoteLine } from '../sync/remote-return.ts';

/** An instant as the contract wants it: UTC, whatever offset the platform wrote. Nothing for what is none. */
export const instant = (value: unknown): string | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const text = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // Years beyond four digits have a sign, which the contract has not.
  return /^\d{4}-/.test(text) ? text : undefined;
};

/** A day, and perhaps a time with any number of digits of a second, and its offset. */
const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*\s*(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * As `instant`, of platforms that leave the offset out and mean UTC, which a parser takes for the time of where it runs.
 * The year 0 or 1 is what some write for a time that never was.
 */
export const utcInstant = (value: unknown): string | undefined => {
  const [, day, time = '00:00:00', zone = 'Z'] =
    (typeof value === 'string' && value.length <= 50 && form.exec(value)) || [];
  return day === undefined || day < '1970' ? undefined : instant(`${day}T${time}${zone}`);
};

/** The last of some instants. */
export const latest = (instants: readonly (string | undefined)[]): string | undefined =>
  instants
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);

/** Text that the contract accepts: not empty, and no longer than the field. */
export const clip = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, length).toWellFormed() : undefined;

/** A web address as the contract wants it. */
export const webAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/.test(value) ? value : undefined;

/** An id that somebody else gave, as the contract takes it: up to 200 printable characters, and no space. */
export const platformId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;

/** A reference of a payment provider, as the contract takes it: up to 200 letters, digits and a few signs. */
export const providerReference = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9._:/#+=|~-]{1,200}$/.test(value) ? value : undefined;

/** A country by its two letters (ISO 3166-1), in capitals; nothing for a code that is none, such as ZZ. */
export const countryCode = (value: unknown): string | undefined =>
  typeof value === 'string' ? countryOf(value) : undefined;

/*
 * Reading of JSON that nobody has vouched for, field by field: what is not there, or is something else than it should
 * be, is nothing.
 */

/** The objects of a list; what is no list has none. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** An object, empty where there is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** An id that a database counts, from 1: 0 stands for none. A number that has lost digits is none either. */
export const idOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,29}$/.test(text) ? text : undefined;
};

/** A fact only where it is one: absent fields stay absent. */
export const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };

/** What a platform said of why a line comes back: its own word with how that is shown, and what somebody wrote. */
type ReportedReason = {
  readonly system: string;
  readonly word?: string | undefined;
  readonly label?: unknown;
  readonly note?: unknown;
};

/** Why a line comes back, by our code for it; the platform's own word is kept as the source. */
export const reasonBy = (code: string, { system, word, label, note }: ReportedReason): RemoteLine['reason'] => ({
  code,
  ...optional('note', clip(note, 4000)),
  ...(word !== undefined && { source: { system, code: word, ...optional('label', clip(label, 500)) } }),
});

/** Who bought it: a platform's id for them, and whatever it tells of address and names. */
type ReportedCustomer = {
  readonly id?: string | undefined;
  readonly email?: unknown;
  /** As they are spoken in order; what is no text is left out. */
  readonly names?: readonly unknown[];
};

/** The customer of an order in the contract's words; nothing where nothing is told. */
export const customerFacts = ({ id, email, names = [] }: ReportedCustomer): OrderFacts['customer'] => {
  const facts = {
    ...optional('id', id),
    ...optional('email', clip(email, 320)),
    ...optional('name', clip(names.flatMap((name) => clip(name, 200) ?? []).join(' '), 200)),
  };
  return Object.keys(facts).length === 0 ? undefined : facts;
};

/** Where an order went, by the two letters of a country (ISO 3166-1); nothing where that is none. */
export const destinationFacts = (country: unknown, region: unknown): OrderFacts['destination'] => {
  const code = countryCode(country);
  return code === undefined ? undefined : { country: code, ...optional('region', clip(region, 100)) };
};
