import type { OrderFacts } from '../../model/order.ts';
import type { FieldError } from '../../model/status.ts';
import { paidTotal } from '../../money/sold-lines.ts';

/** Lists the lines of promotions that the order lacks, or that a promotion names twice. */
const lineErrors = ({ promotions = [], lines }: OrderFacts): FieldError[] => {
  const known = new Set(lines.map(({ lineId }) => lineId));
  return promotions.flatMap((promotion, index) => {
    const named = new Set<string>();
    return promotion.lines.flatMap(({ orderLineId }, at): FieldError[] => {
      const path = `/promotions/${index}/lines/${at}/orderLineId`;
      if (!known.has(orderLineId)) return [{ path, code: 'unknown', message: 'must be a line of the order' }];
      if (named.has(orderLineId)) return [{ path, code: 'duplicate', message: 'must not appear twice in a promotion' }];
      named.add(orderLineId);
      return [];
    });
  });
};

/** Lists the discounts above the price of their line: what was paid for it, and its whole discount. */
const discountErrors = ({ promotions = [], lines }: OrderFacts): FieldError[] => {
  const left = new Map(lines.map((line) => [line.lineId, paidTotal(line) + BigInt(line.discountTotal?.amount ?? 0)]));
  return promotions.flatMap((promotion, index) =>
    promotion.lines.flatMap(({ orderLineId, discount }, at): FieldError[] => {
      const price = left.get(orderLineId);
      if (price === undefined) return [];
      left.set(orderLineId, price - BigInt(discount.amount));
      if (BigInt(discount.amount) <= price) return [];
      const path = `/promotions/${index}/lines/${at}/discount`;
      const message = 'must leave the discounts of the promotions of a line at most its price before discounts';
      return [{ path, code: 'maximum', message }];
    }),
  );
};

/** Lists the inconsistent facts about the promotions of an order. */
export const promotionErrors = (facts: OrderFacts): readonly FieldError[] => {
  const ids = new Set<string>();
  const repeated = (facts.promotions ?? []).flatMap(({ id }, index): FieldError[] => {
    if (!ids.has(id)) {
      ids.add(id);
      return [];
    }
    return [{ path: `/promotions/${index}/id`, code: 'duplicate', message: 'must not appear twice' }];
  });
  return [...repeated, ...lineErrors(facts), ...discountErrors(facts)];
};
