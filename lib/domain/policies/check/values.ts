import type { Money } from '../../returns/model/order.ts';
import type { Resolution } from '../../returns/model/return.ts';
import { countryOf } from '../../../runtime/country.ts';
import { isDate, isInstant } from '../time/calendar.ts';
import { timeZoneOf } from '../time/time-zones.ts';
import { check, type Check, named, type Schema, typedFields } from './shape.ts';

/** The maximum of any number. Amounts in minor units are the largest. */
const maxNumber = 1_000_000_000_000;

/** Checks that a value is one of a few words. */
export const oneOf = (...words: readonly (string | boolean)[]): Check =>
  check({ enum: words }, (value, path) =>
    words.some((word) => word === value)
      ? []
      : [{ path, code: 'enum', message: `must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}` }],
  );

export const orNull = (of: Check): Check =>
  check({ anyOf: [of.schema, { type: 'null' }] }, (value, path) => (value === null ? [] : of(value, path)));

export const flag: Check = check({ type: 'boolean' }, (value, path) =>
  typeof value === 'boolean' ? [] : [{ path, code: 'type', message: 'must be true or false' }],
);

/** Checks a whole number within bounds. It rejects fractions and the infinity that JSON makes of `1e400`. */
export const integer = (from: number, to: number): Check =>
  check({ type: 'integer', minimum: from, maximum: to }, (value, path) => {
    const message = `must be a whole number from ${from} to ${to}`;
    if (typeof value !== 'number' || !Number.isInteger(value)) return [{ path, code: 'type', message }];
    if (value < from) return [{ path, code: 'minimum', message }];
    return value > to ? [{ path, code: 'maximum', message }] : [];
  });

/** Checks text that is not empty. */
export const text = (maximum: number): Check =>
  check({ type: 'string', minLength: 1, maxLength: maximum }, (value, path) => {
    const message = `must be text of 1 to ${maximum} characters`;
    if (typeof value !== 'string') return [{ path, code: 'type', message }];
    // A lone surrogate has no canonical JSON, and so no hash.
    if (!value.isWellFormed()) return [{ path, code: 'unicode', message: 'must be well-formed Unicode' }];
    if (value === '') return [{ path, code: 'min_length', message }];
    return value.length > maximum ? [{ path, code: 'max_length', message }] : [];
  });

const matchingText = (pattern: RegExp, such: string): Check =>
  check({ type: 'string', pattern: pattern.source, 'x-expected': such }, (value, path) => {
    const message = `must be ${such}`;
    if (typeof value !== 'string') return [{ path, code: 'type', message }];
    return pattern.test(value) ? [] : [{ path, code: 'pattern', message }];
  });

const parsableText = (isRead: (candidate: string) => boolean, code: string, such: string, more: Schema = {}): Check =>
  check({ type: 'string', 'x-expected': such, ...more }, (value, path) => {
    if (typeof value !== 'string') return [{ path, code: 'type', message: `must be ${such}` }];
    return isRead(value) ? [] : [{ path, code, message: `must be ${such}` }];
  });

export const ruleId = matchingText(
  /^[a-z][a-z0-9_-]{0,63}$/,
  'an id such as final-sale: 1 to 64 of a-z, 0-9, _ and -, with a letter first',
);
/** Checks the code of a rejection. */
export const code = matchingText(/^[a-z_]{1,100}$/, 'a code such as final_sale: 1 to 100 of a-z and _');
const anyCountry = { type: 'string', pattern: '^[A-Z]{2}$', 'x-expected': 'an ISO 3166-1 country code such as DE' };

/** Checks a country code as orders have it: ISO 3166-1, so GR for Greece. */
export const country: Check = check(anyCountry, (value, path) => {
  const message = `must be ${anyCountry['x-expected']}`;
  if (typeof value !== 'string') return [{ path, code: 'type', message }];
  const known = countryOf(value);
  if (known === undefined) return [{ path, code: 'unknown', message }];
  return known === value ? [] : [{ path, code: 'unknown', message: `${message}: write ${known}` }];
});
export const currency = matchingText(/^[A-Z]{3}$/, 'a currency code such as EUR');
export const date = parsableText(isDate, 'date', 'a valid date such as 2026-12-24', { format: 'date' });
export const instant = parsableText(isInstant, 'instant', 'an instant in UTC, such as 2026-12-24T08:00:00Z', {
  format: 'date-time',
});
export const timeZone = parsableText(
  (name) => timeZoneOf(name, '') === name,
  'time_zone',
  'a time zone such as Europe/Berlin',
);

export const resolution = oneOf(
  ...(['refund', 'exchange', 'store_credit', 'repair', 'none'] satisfies readonly Resolution[]),
);
export const days = integer(0, 3650);
export const bps = integer(0, 10_000);
export const amount = integer(0, maxNumber);
export const number = integer(-maxNumber, maxNumber);
export const money = named('PolicyMoney', typedFields<Money>({ amount, currency }, {}, 'an amount'));
/** Checks a name of the shop, such as a category, a channel or a SKU. */
export const name = text(200);
/** The maximum length of lists of values. */
export const maxValues = 1000;
