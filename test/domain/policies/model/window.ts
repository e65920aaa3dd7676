import type { Facts, LineFacts } from '../../../../lib/domain/policies/facts.ts';
import type { Anchor, Policy, WindowTerms } from '../../../../lib/domain/policies/policy.ts';
import { isPublicHoliday } from '../../../../lib/domain/policies/time/holidays.ts';
import { dateAt, daysLater, endOfDate, isWeekend } from './days.ts';

/** The fact of each anchor. */
export const anchorFact = {
  delivered: 'line.deliveredAt',
  last_item_delivered: 'order.lastDeliveredAt',
  shipped: 'line.shippedAt',
  placed: 'order.placedAt',
} as const satisfies Record<Anchor, string>;

const anchored = (anchor: Anchor, { order }: Facts, line: LineFacts): string | undefined => {
  if (anchor === 'delivered') return line.deliveredAt;
  if (anchor === 'last_item_delivered') return order.lastDeliveredAt;
  return anchor === 'shipped' ? line.shippedAt : order.placedAt;
};

/** Returns the end of a window in milliseconds, or undefined when no anchor is known. */
export const windowEnd = (terms: WindowTerms, policy: Policy, facts: Facts, line: LineFacts): number | undefined => {
  const { timeZone, country, region, placedAt } = facts.order;
  const isOff = (date: string): boolean =>
    isWeekend(date) ||
    (policy.holidays ?? []).includes(date) ||
    // An unknown country has the holidays of all.
    isPublicHoliday({ country, region }, date);

  const counted = [terms, ...(terms.fallback === undefined ? [] : [terms.fallback])].find(
    ({ anchor }) => anchored(anchor, facts, line) !== undefined,
  );
  if (counted === undefined) return undefined;
  const from = anchored(counted.anchor, facts, line) ?? '';
  let last = daysLater(dateAt(Date.parse(from), timeZone), counted.days);
  if (terms.roll === 'next_working_day') while (isOff(last)) last = daysLater(last, 1);
  for (const { from: first, to, until } of terms.seasonal ?? []) {
    const placed = placedAt === undefined ? undefined : dateAt(Date.parse(placedAt), timeZone);
    if (placed !== undefined && first <= placed && placed <= to && until > last) last = until;
  }
  return endOfDate(daysLater(last, terms.graceDays ?? 0), timeZone);
};
