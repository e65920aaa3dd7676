import type { StatutoryRule } from '../../policies/law/statutory-rules.ts';
import { sendBackEnd, withdrawalWindows } from '../../policies/law/withdrawal-window.ts';
import { earlierTiming } from '../../policies/law/statutory-floor.ts';
import { lastDelivery } from '../../policies/law/rights.ts';
import { feesOfWithdrawal } from '../../returns/line-fees.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import type { Terms } from '../../returns/model/terms.ts';
import type { LineUnits } from '../../returns/money/line-units.ts';

/** The declaration that a return carries out. */
export type DeclarationOfReturn = { readonly withdrawalId: string; readonly declaredAt: Instant };

/** Returns the latest of the times to send the goods; undefined when a law sets none, or a delivery is unknown. */
const latestSendBy = (rules: readonly StatutoryRule[], order: Order, declaredAt: Instant): Instant | undefined => {
  const deliveredAt = lastDelivery(order.facts);
  if (rules.length === 0 || deliveredAt === undefined) return undefined;
  const ends = rules.map((rule) => sendBackEnd(rule, order, { declaredAt, deliveredAt }));
  return ends.includes(null)
    ? undefined
    : ends
        .filter((end) => end !== null)
        .toSorted()
        .at(-1);
};

/** Returns the rules of the laws that give a right of withdrawal for these lines of an order. */
export const lawsOfLines = (
  rules: readonly StatutoryRule[],
  order: Order,
  lines: readonly Pick<LineUnits, 'orderLineId'>[],
  declaredAt: Instant,
): readonly StatutoryRule[] => {
  const ids = new Set(lines.map(({ orderLineId }) => orderLineId));
  const laws = new Set(
    withdrawalWindows(rules, order, declaredAt).flatMap(({ orderLineId, law }) =>
      ids.has(orderLineId) && law !== undefined ? [law] : [],
    ),
  );
  return rules.filter(({ law }) => laws.has(law));
};

/** Returns the time to send the units of a withdrawal, by the present facts of the order. */
export const sendByOf = (
  rules: readonly StatutoryRule[],
  order: Order,
  lines: readonly Pick<LineUnits, 'orderLineId'>[],
  declaredAt: Instant,
): Instant | undefined => latestSendBy(lawsOfLines(rules, order, lines, declaredAt), order, declaredAt);

/**
 * Returns the terms of the return that carries out a withdrawal. The law sets its deadlines, and no fee applies. The
 * shop pays when the goods or proof of their sending arrived at the latest, so no term delays a refund beyond that.
 * An inspection may still lower the worth of a unit (Directive 2011/83/EU, article 14(2)).
 *
 * @param terms the terms of the request, raised to the statutory floor
 * @param lines the units of the return
 */
export const termsOfWithdrawal = (
  rules: readonly StatutoryRule[],
  terms: Terms,
  { order, lines }: { readonly order: Order; readonly lines: readonly LineUnits[] },
  { withdrawalId, declaredAt }: DeclarationOfReturn,
): Terms => {
  const applied = lawsOfLines(rules, order, lines, declaredAt);
  const sendBy = latestSendBy(applied, order, declaredAt);
  const { floor } = terms;
  return {
    ...terms,
    refundTiming: earlierTiming(terms.refundTiming, 'in_transit'),
    fees: feesOfWithdrawal(terms.fees),
    floor: floor && { ...floor, fees: floor.fees.filter((fee) => fee !== 'return_shipping') },
    withdrawal: {
      withdrawalId,
      declaredAt,
      ...(sendBy !== undefined && { sendBy }),
    },
  };
};
