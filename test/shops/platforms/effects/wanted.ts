import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import type { Wanted, WantedLine, WantedRefund, WantedReturn } from '../../../../lib/shops/platforms/effect.ts';

export const requestedAt = '2026-11-20T10:00:00.000Z';

/** Returns the id of an intent, which is the same for the same number. */
export const keyOf = (number: number): string => `wbi_${String(number).padStart(26, '0')}`;

export const wantedLine = (orderLineId: string, changes: Partial<WantedLine> = {}): WantedLine => ({
  lineId: `rli_${orderLineId}`,
  orderLineId,
  quantity: 1,
  received: 0,
  found: [],
  reason: 'fit.too_small',
  ...changes,
});

/** Returns a line whose units are all received and accepted. */
export const acceptedLine = (orderLineId: string, quantity: number, changes: Partial<WantedLine> = {}): WantedLine =>
  wantedLine(orderLineId, {
    quantity,
    received: quantity,
    found: [{ outcome: 'accept', disposition: 'restock', quantity }],
    ...changes,
  });

export const wantedReturn = (lines: readonly WantedLine[], changes: Partial<WantedReturn> = {}): WantedReturn => ({
  returnId: 'ret_1',
  rmaNumber: 'RMA-1',
  requestedAt,
  lines,
  ...changes,
});

/** A refund for units of lines; `amount` is the sum of its parts. */
export const wantedRefund = (
  currency: string,
  lines: WantedRefund['lines'],
  { shipping = 0, rest = 0 }: Partial<Pick<WantedRefund, 'shipping' | 'rest'>> = {},
): WantedRefund => ({
  refundId: 'rfd_1',
  amount: { amount: lines.reduce((sum, { gross }) => sum + gross, shipping + rest), currency },
  lines,
  shipping,
  rest,
});

export const wanted = (
  action: EffectAction,
  orderId: string,
  changes: Partial<Wanted> & { readonly number?: number } = {},
): Wanted => {
  const { number = 1, ...others } = changes;
  return { key: keyOf(number), action, orderId, paysRefunds: true, ...others };
};
