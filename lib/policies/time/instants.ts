import type { Instant } from '../../returns/model/order.ts';

/** As long as the date and the time to the second are, in RFC 3339. */
const toTheSecond = 19;

const fraction = (at: Instant): string => at.slice(toTheSecond + 1, -1).padEnd(9, '0');

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Two instants in UTC in their order: below zero, zero, above. Text alone would put 08:00:00Z after 08:00:00.5Z. */
export const compareInstants = (a: Instant, b: Instant): number => {
  if (a.length === b.length) return order(a, b);
  const seconds = order(a.slice(0, toTheSecond), b.slice(0, toTheSecond));
  return seconds === 0 ? order(fraction(a), fraction(b)) : seconds;
};
