import type { Result } from '../../failure.ts';
import type { Instant, Order } from '../../model/order.ts';
import type { FieldError } from '../../model/status.ts';
import { requireOrderCurrency, type AmountAtPath } from '../../input-checks.ts';
import { sum } from '../../units-by-line.ts';
import type { RecordRefund } from './record-refund-result.ts';

type Lines = NonNullable<RecordRefund['lines']>;

/** Rejects amounts in a currency other than the order's. */
export const requireRefundCurrency = (
  { facts }: Order,
  { amount, shipping, charges, extras = [], lines = [] }: RecordRefund,
): Result<null> =>
  requireOrderCurrency(facts.currency, [
    ['/amount', amount],
    ['/shipping', shipping],
    ['/charges', charges],
    ...extras.map((extra, index): AmountAtPath => [`/extras/${index}/amount`, extra.amount]),
    ...lines.flatMap((line, index): AmountAtPath[] => [
      [`/lines/${index}/amount`, line.amount],
      [`/lines/${index}/tax`, line.tax],
    ]),
  ]);

/** Lists the lines that the order does not have. */
export const unknownLineErrors = ({ facts }: Order, { lines = [] }: RecordRefund): FieldError[] => {
  const known = new Set(facts.lines.map(({ lineId }) => lineId));
  return lines.flatMap(({ orderLineId }, index) =>
    known.has(orderLineId)
      ? []
      : [{ path: `/lines/${index}/orderLineId`, code: 'unknown', message: 'must be a line of the order' }],
  );
};

const lineErrors = ({ facts }: Order, lines: Lines): FieldError[] => {
  const seen = new Set<string>();
  return lines.flatMap(({ orderLineId, quantity, amount, tax, kept }, index) => {
    const errors: FieldError[] = [];
    const at = `/lines/${index}`;
    const sold = facts.lines.find(({ lineId }) => lineId === orderLineId)?.quantity ?? 0;
    if (quantity > sold) errors.push({ path: `${at}/quantity`, code: 'maximum', message: `must be at most ${sold}` });
    if (seen.has(orderLineId))
      errors.push({ path: `${at}/orderLineId`, code: 'duplicate', message: 'must not appear twice' });
    seen.add(orderLineId);
    if (kept === true && amount === undefined)
      errors.push({ path: `${at}/amount`, code: 'required', message: 'is required with kept' });
    if (tax !== undefined && tax.amount > (amount?.amount ?? 0))
      errors.push({ path: `${at}/tax`, code: 'maximum', message: 'must not exceed the amount that includes it' });
    return errors;
  });
};

/** Lists the inconsistent facts of a refund. */
export const refundErrors = (
  order: Order,
  { amount, shipping, charges, extras = [], lines = [], occurredAt }: RecordRefund,
  latest: Instant,
): FieldError[] => {
  const errors = lineErrors(order, lines);
  const others = (shipping?.amount ?? 0) + (charges?.amount ?? 0) + sum(extras.map((extra) => extra.amount.amount));
  const parts = sum(lines.map((line) => line.amount?.amount ?? 0)) + others;
  if (parts > amount.amount)
    errors.push({ path: '/amount', code: 'minimum', message: `must be at least ${parts}, the sum of its parts` });
  if (occurredAt > latest) errors.push({ path: '/occurredAt', code: 'maximum', message: 'must not be in the future' });
  return errors;
};
