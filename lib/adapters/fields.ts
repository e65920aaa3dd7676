import { minorUnits } from '../domain/money/decimal.ts';
import { perContainer } from '../runtime/container.ts';
import { toUtc } from '../runtime/instant.ts';
import { misfit, OperationFailure } from './failure.ts';

/* Fields of a service that need a rule: amounts and times. */

type Amount = { readonly amount: number; readonly currency: string };

/** The sign before the fraction of an amount. */
type DecimalSign = '.' | ',';

/** Thousands with dots, as in `1.234,56`. Without a comma, `1.234` could be a fraction after all. */
const groups = /^\d{1,3}(?:\.\d{3})+,\d+$/;

/** Returns a text with decimal commas as one with a decimal point; undefined for another dot. */
const withPoint = (text: string): string | undefined => {
  const plain = groups.test(text) ? text.replaceAll('.', '') : text;
  return plain.includes('.') ? undefined : plain.replace(',', '.');
};

/**
 * Converts an amount to minor units by its currency (ISO 4217), without rounding: 12.34 EUR is 1234. A JSON number counts
 * as its shortest decimal text.
 *
 * @param path the field of the service's answer, for the failure
 * @param sign what the service writes before the fraction of a text; the other sign never is one
 * @throws {OperationFailure} for a negative amount, one that is not exact in its currency, and one with another sign
 */
export const amountOf = (decimal: string | number, currency: string, path: string, sign: DecimalSign = '.'): Amount => {
  const text = String(decimal).trim();
  const amount = sign === ',' && typeof decimal === 'string' ? withPoint(text) : text;
  const money = amount === undefined ? undefined : minorUnits({ amount, currencyCode: currency });
  if (money === undefined)
    throw new OperationFailure(
      misfit(path, `must be an amount that is exact in its currency, with ${sign} before its fraction`),
    );
  return money;
};

const formats = perContainer(() => new Map<string, Intl.DateTimeFormat>());

const formatIn = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats().get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats().set(timeZone, format);
  return format;
};

/** Returns the milliseconds by which the clocks of a zone are ahead of UTC at an instant. */
const offsetAt = (ms: number, timeZone: string): number => {
  const part = Object.fromEntries(
    formatIn(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
};

const dayMs = 86_400_000;

/** Returns the instant of a clock time in a zone, which is given as if it were UTC. */
const instantAt = (wanted: number, timeZone: string): number => {
  const [before, after] = [wanted - dayMs, wanted + dayMs].map((ms) => wanted - offsetAt(ms, timeZone)) as [
    number,
    number,
  ];
  if (before === after) return before;
  const isIn = (ms: number): boolean => ms + offsetAt(ms, timeZone) === wanted;
  return isIn(before) || !isIn(after) ? before : after;
};

const local = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?$/;

/**
 * Converts a time of a service to UTC. A time without an offset is a clock time in the zone of the service. Where the
 * clocks go back, such a time occurs twice: the first one counts. Where they go forward, it counts as the time after.
 *
 * @param timeZone IANA name, such as `America/Sao_Paulo`
 * @param path the field of the service's answer, for the failure
 * @throws {OperationFailure} for text that is no time
 */
export const instantOf = (text: string, timeZone: string, path: string): string => {
  const withOffset = toUtc(text.replace(' ', 'T'));
  if (withOffset !== undefined) return withOffset;
  const [, day = '', clock = '', fraction = ''] = local.exec(text) ?? [];
  // It also rejects days that do not exist, which Date.parse takes as later ones.
  const asUtc = toUtc(`${day}T${clock.length === 5 ? `${clock}:00` : clock}Z`);
  if (asUtc === undefined) throw new OperationFailure(misfit(path, 'must be a time such as 2026-11-20T08:00:00'));
  return `${new Date(instantAt(Date.parse(asUtc), timeZone)).toISOString().slice(0, 19)}${fraction}Z`;
};

/** The last second of the year 9999. Milliseconds since 1970 are beyond it from 1978 on. */
const maxSeconds = 253_402_300_799;

/**
 * Converts seconds since 1970 (Unix time) to UTC.
 *
 * @param path the field of the service's answer, for the failure
 * @throws {OperationFailure} for a value that is no such number, such as one of milliseconds
 */
export const instantOfSeconds = (seconds: number, path: string): string => {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= maxSeconds))
    throw new OperationFailure(misfit(path, 'must be a number of seconds since 1970'));
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
};
