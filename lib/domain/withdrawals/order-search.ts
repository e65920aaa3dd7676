import { normalised } from './double.ts';

/** The maximum number of order numbers that a text may name. A longer text is left to staff. */
const maxNumbers = 8;

const word = /[\p{L}\p{N}][\p{L}\p{N}._/-]*/gu;

/**
 * Returns what may be an order number in the text of a declaration, such as `1001` in "Order #1001". These are the whole
 * text and its words with a digit. An order counts only when its e-mail address matches too, so a wrong number does no
 * harm.
 */
export const orderNumbersIn = (contract: string): readonly string[] => {
  const whole = contract.trim().replaceAll(/\s+/gu, ' ');
  const words = [...whole.matchAll(word)]
    .map(([found]) => found.replace(/[._/-]+$/u, ''))
    .filter((found) => /\d/.test(found));
  const numbers = new Set([whole.replace(/^#/, ''), ...words]);
  return numbers.size > maxNumbers ? [] : [...numbers];
};

/** Compares e-mail addresses without differences of case, width and white space. */
export const isSameEmail = (a: string, b: string): boolean => normalised(a) === normalised(b);

const shortestPauseMs = 120_000;
const dayMs = 86_400_000;
const longestPauseMs = 7 * dayMs;
/** The service looks for the order this long. */
const searchMs = 30 * dayMs;

/**
 * Returns when to look for the order again; undefined when the search is over, and staff must find it. A shop may
 * register its order late. Each pause is as long as the declaration is old, so a declaration without an order costs
 * less than 20 searches.
 *
 * @param createdAt when the declaration was stored
 * @param now in epoch milliseconds
 */
export const nextSearchAt = (createdAt: string, now: number): number | undefined => {
  const age = now - Date.parse(createdAt);
  return age >= searchMs ? undefined : now + Math.min(longestPauseMs, Math.max(shortestPauseMs, age));
};
