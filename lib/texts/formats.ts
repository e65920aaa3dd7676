import { exponent } from '../money/currency.ts';
import type { Money, Order } from '../returns/model/order.ts';
import type { Catalogue, PluralForms } from './catalogue.ts';

/** How a language writes numbers, amounts, dates and lists. */
export type Formats = {
  readonly number: (value: number) => string;
  /** Minor units, with as many decimals as ISO 4217 gives the currency. */
  readonly money: (money: Money) => string;
  readonly share: (basisPoints: number) => string;
  /** A date such as `2026-12-18`, which is in no time zone. */
  readonly date: (date: string) => string;
  readonly either: (parts: readonly string[]) => string;
  readonly plural: (forms: PluralForms, count: number) => string;
};

/** Minor units as a decimal text: a number of large units would lose the last digits. */
const decimals = ({ amount }: Money, digits: number): Intl.StringNumericLiteral => {
  const minor = String(Math.abs(amount)).padStart(digits + 1, '0');
  const [whole, fraction] = [minor.slice(0, minor.length - digits), minor.slice(minor.length - digits)];
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${fraction}`}` as Intl.StringNumericLiteral;
};

/** French writes the first day of a month as an ordinal, which the data of Intl does not. */
const withOrdinal = (date: string, locale: string): string => (locale === 'fr' ? date.replace(/^1 /, '1er ') : date);

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

/** The formats of a catalogue. Remembered: Intl takes longer to make them than to use them. */
export const formatsFor = (catalogue: Catalogue): Formats => {
  const formats = formatsByCatalogue.get(catalogue) ?? createFormats(catalogue);
  formatsByCatalogue.set(catalogue, formats);
  return formats;
};

/** The names of order lines for customers, by line id: the title, else the SKU. A line with neither has none. */
export type ItemNames = ReadonlyMap<string, string>;

/** A longer title makes a sentence hard to read. */
const maxTitle = 80;

/** One line of text: titles come from shops, and may have any white space. */
const toSingleLine = (title: string): string => title.replaceAll(/\s+/gu, ' ').trim();

const truncateTitle = (title: string): string =>
  title.length <= maxTitle
    ? title
    : `${title
        .slice(0, maxTitle - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;

/** The names of the lines of an order. */
export const itemNames = ({ facts }: Order): ItemNames =>
  new Map(
    facts.lines.flatMap(({ lineId, title = '', sku = '' }) => {
      const name = [title, sku].map(toSingleLine).find((text) => text !== '');
      return name === undefined ? [] : [[lineId, truncateTitle(name)] as const];
    }),
  );

/** Units of an order line, such as `1 × Toothbrush`. */
export const itemText = (catalogue: Catalogue, quantity: number, name: string | undefined): string =>
  `${formatsFor(catalogue).number(quantity)} × ${name ?? catalogue.unnamedItem}`;
