import { entriesOfRefund, updateLedger } from '../../../lib/domain/returns/money/return-entries.ts';
import { paidTotal } from '../../../lib/domain/returns/money/sold-lines.ts';
import { fulfilled } from '../../../lib/domain/returns/money/line-units.ts';
import {
  emptyLedger,
  ledgerLine,
  type Ledger,
  moveEntries,
  noEntries,
} from '../../../lib/domain/returns/money/order-ledger.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import type { Refund } from '../../../lib/domain/returns/model/refund.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { orderPartition } from '../../../lib/store/engine/keys.ts';
import type { Stored, StoredOrder } from './stored.ts';

/** Adds a refund without a return, which takes its units permanently. */
const withRefund = (ledger: Ledger, refund: Refund): Ledger =>
  moveEntries(ledger, noEntries, entriesOfRefund(refund, refund.breakdown.lines));

/** Returns the ledger that follows from an order's returns and from its refunds without a return. */
const expected = (returns: readonly Return[], refunds: readonly Refund[]): Ledger =>
  refunds
    .filter(({ returnId }) => returnId === undefined)
    .reduce(
      withRefund,
      returns.reduce((ledger, state) => updateLedger(ledger, undefined, state), emptyLedger),
    );

/** Compares two ledgers. A line without bookings equals a missing line. */
const ledgerFaults = (partition: string, ledger: Ledger, wanted: Ledger): string[] => {
  const names = new Set([...Object.keys(ledger.lines), ...Object.keys(wanted.lines)]);
  const accounts = (one: Ledger): [name: string, account: unknown][] => [
    ['returns', one.returns],
    ['given', one.given],
    // The facts that a line was sold with are none of its bookings.
    ...Array.from(names, (name): [string, unknown] => [`line ${name}`, { ...ledgerLine(one, name), sold: undefined }]),
  ];
  const [found, meant] = [accounts(ledger), accounts(wanted)];
  return found.flatMap(([name, account], index) => {
    const [is, should] = [JSON.stringify(account), JSON.stringify(meant[index]?.[1])];
    return is === should ? [] : [`${partition}: ${name} of the ledger is ${is}, by its returns ${should}`];
  });
};

const overdrawn = (partition: string, order: Order, ledger: Ledger): string[] =>
  order.facts.lines
    .filter((line) => ledgerLine(ledger, line.lineId).held > fulfilled(line))
    .map(({ lineId }) => `${partition}: more units of line ${lineId} are held than there are`);

/** Finds refunds beyond the paid amount that do not report it. No refund is rejected for its amount. */
const overpaid = (partition: string, { facts }: Order, ledger: Ledger, refunds: readonly Refund[]): string[] => {
  const goods = facts.lines.reduce((sum, line) => sum + paidTotal(line), 0n);
  const rest = (facts.charges ?? []).reduce((sum, { paid }) => sum + paid.amount, facts.shipping?.paid.amount ?? 0);
  const isRecorded = refunds.some(({ discrepancies }) =>
    discrepancies.some(({ code }) => code === 'refund_exceeds_paid'),
  );
  return BigInt(ledger.given.amount) > goods + BigInt(rest) && !isRecorded
    ? [`${partition}: more was given than was paid, and no refund says so`]
    : [];
};

const refundFaults = (partition: string, refunds: readonly Refund[], returns: readonly Return[]): string[] => {
  // The refunds that the service has booked are only in their return.
  const booked = returns.flatMap((state) =>
    state.refunds.filter(({ external }) => external !== undefined).map(({ id }) => ({ id, returnId: state.id })),
  );
  return [
    ...refunds
      .filter(
        ({ id, returnId }) =>
          returnId !== undefined && !booked.some((one) => one.id === id && one.returnId === returnId),
      )
      .map(({ id, returnId }) => `${partition}: ${returnId} does not have its refund ${id}`),
    ...booked
      .filter(({ id }) => !refunds.some((refund) => refund.id === id))
      .map(({ id, returnId }) => `${partition}: refund ${id} of ${returnId} is not recorded`),
  ];
};

/** Returns the differences between an order's ledger and refunds and its returns. */
export const orderFaults = ({ returns }: Stored, { partition, order, ledger, refunds }: StoredOrder): string[] => {
  if (order === undefined) return [`${partition}: a ledger or refunds, but no order`];
  const own = [...returns.values()].flatMap(({ snapshot }) =>
    snapshot !== undefined && orderPartition(snapshot.state.order) === partition ? [snapshot.state] : [],
  );
  return [
    ...ledgerFaults(partition, ledger, expected(own, refunds)),
    ...overdrawn(partition, order, ledger),
    ...overpaid(partition, order, ledger, refunds),
    ...refundFaults(partition, refunds, own),
  ];
};
