import { locale } from './language.ts';

/* Amounts and times in the language of the person and the zone of the browser. */

type Amount = { readonly amount: number; readonly currency: string };

/** Makes each format once for its language and options: a list has hundreds of values, and a format is slow to make. */
const cached = <Options extends object, Format>(make: (language: string, options: Options) => Format) => {
  const formats = new Map<string, Format>();
  return (options: Options): Format => {
    const key = `${locale.value} ${JSON.stringify(options)}`;
    const format = formats.get(key) ?? make(locale.value, options);
    formats.set(key, format);
    return format;
  };
};

const numbers = cached((language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options));
const times = cached((language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options));
const distances = cached(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);

const names = cached((language, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(language, options));

/** Returns the name of a country (ISO 3166-1) or a language (BCP 47), or the code itself when the browser has no name. */
export const nameOfCode = (type: 'language' | 'region', code: string): string => {
  try {
    return names({ type }).of(code) ?? code;
  } catch {
    // A shop may send a code of another form.
    return code;
  }
};

const formatOf = (currency: string): Intl.NumberFormat => numbers({ style: 'currency', currency });

/** Returns the digits after the decimal point of a currency (ISO 4217). */
export const digitsOf = (currency: string): number => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** Formats an amount, which the API counts in the smallest unit of its currency. */
export const formatMoney = ({ amount, currency }: Amount): string =>
  formatOf(currency).format(amount / 10 ** digitsOf(currency));

/** Formats a number. */
export const formatNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  numbers(options).format(value);

/** Formats a time in the zone of the browser. */
export const formatTime = (at: string, style: 'short' | 'long' = 'short'): string =>
  times({
    dateStyle: style === 'short' ? 'medium' : 'full',
    timeStyle: style === 'short' ? 'short' : 'long',
  }).format(new Date(at));

/**
 * Formats a day.
 *
 * @param timeZone the zone of the browser if absent
 */
export const formatDay = (at: string, timeZone?: string): string =>
  times({
    dateStyle: 'medium',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(at));

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/**
 * Formats the distance of a time, such as "in 3 days".
 *
 * @param now epoch milliseconds
 */
export const formatDistance = (at: string, now: number): string => {
  const distance = Date.parse(at) - now;
  const [unit, ms] = steps.find(([, length]) => Math.abs(distance) >= length) ?? ['minute' as const, 60_000];
  return distances({ numeric: 'auto' }).format(Math.trunc(distance / ms), unit);
};
