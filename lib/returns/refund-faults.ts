import type { Fault } from './failure.ts';
import type { Instant, Money, Order } from './order.ts';
import type { RecordRefund } from './record-refund.ts';
import { sum } from './sum.ts';

type Lines = NonNullable<RecordRefund['lines']>;

/** Amounts in another currency than the order was charged in. */
export const refundCurrencyFaults = ({ facts }: Order, { amount, shipping, lines = [] }: RecordRefund): Fault[] => {
  const all: [string, Money | undefined][] = [
    ['/amount', amount],
    ['/shipping', shipping],
    ...lines.flatMap((line, index): [string, Money | undefined][] => [
      [`/lines/${index}/amount`, line.amount],
      [`/lines/${index}/tax`, line.tax],
    ]),
  ];
  const message = `must be the order's currency, ${facts.currency}`;
  return all
    .filter(([, money]) => money !== undefined && money.currency !== facts.currency)
    .map(([path]) => ({ path: `${path}/currency`, code: 'currency', message }));
};

/** Lines that the order does not have. */
export const unknownLines = ({ facts }: Order, { lines = [] }: RecordRefund): Fault[] => {
  const known = new Set(facts.lines.map(({ lineId }) => lineId));
  return lines.flatMap(({ orderLineId }, index) =>
    known.has(orderLineId)
      ? []
      : [{ path: `/lines/${index}/orderLineId`, code: 'unknown', message: 'must be a line of the order' }],
  );
};

const lineFaults = ({ facts }: Order, lines: Lines): Fault[] => {
  const seen = new Set<string>();
  return lines.flatMap(({ orderLineId, quantity, amount, tax }, index) => {
    const faults: Fault[] = [];
    const at = `/lines/${index}`;
    const sold = facts.lines.find(({ lineId }) => lineId === orderLineId)?.quantity ?? 0;
    if (quantity > sold) faults.push({ path: `${at}/quantity`, code: 'maximum', message: `must be at most ${sold}` });
    if (seen.has(orderLineId))
      faults.push({ path: `${at}/orderLineId`, code: 'duplicate', message: 'must not be given twice' });
    seen.add(orderLineId);
    if (tax !== undefined && tax.amount > (amount?.amount ?? 0))
      faults.push({ path: `${at}/tax`, code: 'maximum', message: 'must not exceed the amount that includes it' });
    return faults;
  });
};

/** What cannot be right about a refund, however the shop came to pay it. */
export const refundFaults = (
  order: Order,
  { amount, shipping, lines = [], occurredAt }: RecordRefund,
  latest: Instant,
): Fault[] => {
  const faults = lineFaults(order, lines);
  const parts = sum(lines.map((line) => line.amount?.amount ?? 0)) + (shipping?.amount ?? 0);
  if (parts > amount.amount)
    faults.push({ path: '/amount', code: 'minimum', message: `must be at least ${parts}, what its parts come to` });
  if (occurredAt > latest) faults.push({ path: '/occurredAt', code: 'maximum', message: 'must not lie in the future' });
  return faults;
};
