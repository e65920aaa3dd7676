import { formatDay, formatMoney, formatTime } from '../../texts/format.ts';
import { valueWords } from '../../texts/fact-words.ts';

type Members = Readonly<Record<string, unknown>>;

/** The facts of a decision, as the contract has them. */
export type Facts = Members;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});

/** Returns the currency of the order that a decision is about. */
export const currencyOf = (facts: Facts): string => {
  const { currency } = membersOf(facts['order']);
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : 'XXX';
};

/**
 * Returns the last day of a return window. A window ends at the first instant of the next day, in the time zone of the
 * order.
 */
export const lastDay = (end: string, facts: Facts): string => {
  const { timeZone } = membersOf(facts['order']);
  return formatDay(new Date(Date.parse(end) - 1).toISOString(), typeof timeZone === 'string' ? timeZone : 'UTC');
};

/** Returns the line of the request at a position. */
export const lineOf = (facts: Facts, index: number): Members => {
  const { lines } = facts;
  return Array.isArray(lines) ? membersOf(lines[index]) : {};
};

const isAmount = /\.(value|unitPrice)/;

/** Returns the value of a fact in words: amounts in the currency of the order, times in the zone of the browser. */
export const factValue = (fact: string, value: unknown, currency: string): string =>
  valueWords(value, (scalar) => {
    if (typeof scalar === 'number')
      return isAmount.test(fact) ? formatMoney({ amount: scalar, currency }) : String(scalar);
    return /^\d{4}-\d\d-\d\dT/.test(scalar) ? formatTime(scalar) : scalar;
  });
