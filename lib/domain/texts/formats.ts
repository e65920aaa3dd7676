import { exponent } from '../money/currency.ts';
import type { Money, Order } from '../returns/model/order.ts';
import type { Catalogue, PluralForms } from './catalogue.ts';

/** The formats of a language for numbers, amounts, dates and lists. */
export type Formats = {
  readonly number: (value: number) => string;
  /** Formats minor units, with the decimals of ISO 4217 for the currency. */
  readonly money: (money: Money) => string;
  readonly share: (basisPoints: number) => string;
  /** Formats a date such as `2026-12-18`, which has no time zone. */
  readonly date: (date: string) => string;
  readonly either: (parts: readonly string[]) => string;
  readonly plural: (forms: PluralForms, count: number) => string;
};

/** Returns minor units as a decimal text. A number would lose the last digits of large amounts. */
const decimals = ({ amount }: Money, digits: number): Intl.StringNumericLiteral => {
  const minor = String(Math.abs(amount)).padStart(digits + 1, '0');
  const [whole, fraction] = [minor.slice(0, minor.length - digits), minor.slice(minor.length - digits)];
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${fraction}`}` as Intl.StringNumericLiteral;
};

/** Writes the first day of a month as an ordinal in French, which the data of Intl does not. */
export const withOrdinal = (date: string, locale: string): string =>
  locale === 'fr' ? date.replace(/^1 /, '1er ') : date;

const createFormats = ({ locale }: Catalogue): Formats => {
  const number = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const either = new Intl.ListFormat(locale, { type: 'disjunction' });
  const plural = new Intl.PluralRules(locale);
  return {
    number: (value) => number.format(value),
    money: (money) => {
      const digits = exponent(money.currency) ?? 2;
      const options = { style: 'currency', currency: money.currency } as const;
      return new Intl.NumberFormat(locale, {
        ...options,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(decimals(money, digits));
    },
    share: (basisPoints) => share.format(basisPoints / 10_000),
    date: (date) => withOrdinal(day.format(new Date(`${date}T00:00:00Z`)), locale),
    either: (parts) => either.format(parts),
    plural: (forms, count) => (forms[plural.select(count)] ?? forms.other).replace('{n}', number.format(count)),
  };
};

const formatsByCatalogue = new WeakMap<Catalogue, Formats>();

/** Returns the formats of a catalogue. They are cached, because Intl takes longer to create than to use. */
export const formatsFor = (catalogue: Catalogue): Formats => {
  const formats = formatsByCatalogue.get(catalogue) ?? createFormats(catalogue);
  formatsByCatalogue.set(catalogue, formats);
  return formats;
};

/** The names of order lines for customers, by line id: the title, else the SKU. A line with neither has none. */
export type ItemNames = ReadonlyMap<string, string>;

/** A longer title makes a sentence hard to read. */
const maxTitle = 80;

/** Returns a title on one line. Titles come from shops, and may have any white space. */
const toSingleLine = (title: string): string => title.replaceAll(/\s+/gu, ' ').trim();

const truncateTitle = (title: string): string =>
  title.length <= maxTitle
    ? title
    : `${title
        .slice(0, maxTitle - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;

/** Returns the names of the lines of an order. */
export const itemNames = ({ facts }: Order): ItemNames =>
  new Map(
    facts.lines.flatMap(({ lineId, title = '', sku = '' }) => {
      const name = [title, sku].map(toSingleLine).find((text) => text !== '');
      return name === undefined ? [] : [[lineId, truncateTitle(name)] as const];
    }),
  );

/** Returns the units of an order line as text, such as `1 × Toothbrush`. */
export const itemText = (catalogue: Catalogue, quantity: number, name: string | undefined): string =>
  `${formatsFor(catalogue).number(quantity)} × ${name ?? catalogue.unnamedItem}`;
