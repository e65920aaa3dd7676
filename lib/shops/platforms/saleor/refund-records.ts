import { ok, type Result } from '../../../runtime/result.ts';
import type { Money } from '../../../contract/scalars.ts';
import { type ShopFailure, permanentFailure } from '../platform.ts';
import { instant, providerReference } from '../shared/fields/fields.ts';
import { readExpectedShape, readEach, type PartialRead } from '../shared/http/read-each.ts';
import { moneyOf, unitsByLine } from './amounts.ts';
import type { EventNode, FulfillmentNode, GrantNode, MoneyNode, OrderNode } from './queries.ts';

/** A refund by Saleor, and what it reports about its purpose. */
export type RefundRecord = {
  readonly id: string;
  readonly amount: Money;
  readonly at: string;
  readonly providerRef?: string;
  readonly units?: ReadonlyMap<string, number>;
  readonly shipping?: Money;
  /** The fulfillment of the refund, if Saleor reports it. */
  readonly fulfillmentId?: string;
};

type RefundRecordReading = RefundRecord | 'unreadable' | undefined;

/** Reads the common fields; undefined for a zero amount. */
const readRefundRecord = (
  id: string,
  amount: MoneyNode,
  time: string,
  rest: Partial<RefundRecord> = {},
): RefundRecordReading => {
  const money = moneyOf(amount);
  const at = instant(time);
  if (money === undefined || at === undefined || !/^[A-Za-z0-9+=_-]{1,100}$/.test(id)) return 'unreadable';
  const { shipping, ...others } = rest;
  const isInside = shipping !== undefined && shipping.amount > 0 && shipping.amount <= money.amount;
  return money.amount === 0 ? undefined : { id, amount: money, at, ...others, ...(isInside && { shipping }) };
};

/** Returns the purpose of a granted refund. */
const purposeOf = (
  { lines, shippingCostsIncluded }: GrantNode,
  { shippingPrice }: OrderNode,
): Partial<RefundRecord> => {
  const units = unitsByLine(lines);
  const shipping = shippingCostsIncluded ? moneyOf(shippingPrice.gross) : undefined;
  return { ...(units.size > 0 && { units }), ...(shipping !== undefined && { shipping }) };
};

/**
 * Returns the valid refunds of a transaction that succeeded.
 * There is one for each reference of the payment provider, which reports some twice. Reversed refunds are left out.
 * https://docs.saleor.io/api-reference/payments/enums/transaction-event-type-enum
 */
const succeeded = (events: readonly EventNode[]): readonly EventNode[] => {
  const referencesOf = (type: string) =>
    new Set(events.filter((event) => event.type === type).map(({ pspReference }) => pspReference));
  const reversed = referencesOf('REFUND_REVERSE');
  const known = new Set<string>();
  return events
    .filter(({ type }) => type === 'REFUND_SUCCESS')
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    .filter(({ pspReference: reference }) => {
      if (!reference) return true;
      const isFirst = !known.has(reference);
      known.add(reference);
      return isFirst && !reversed.has(reference);
    });
};

const refundsByTransactions = (order: OrderNode): readonly RefundRecordReading[] => {
  const events = order.transactions.flatMap((transaction) => succeeded(transaction.events));
  const ids = new Set(events.map(({ id }) => id));
  return events.map(({ id, amount, createdAt, pspReference }) => {
    const of = order.grantedRefunds.filter((grant) => grant.transactionEvents?.some((event) => event.id === id));
    const [grant] = of;
    // A grant that was paid in parts does not describe a part.
    const isWhole = of.length === 1 && grant?.transactionEvents?.filter((event) => ids.has(event.id)).length === 1;
    const providerRef = providerReference(pspReference);
    return readRefundRecord(id, amount, createdAt, {
      ...(isWhole && grant !== undefined && purposeOf(grant, order)),
      ...(providerRef !== undefined && { providerRef }),
    });
  });
};

const refundsByGrants = (order: OrderNode): readonly RefundRecordReading[] =>
  order.grantedRefunds
    .filter(({ status }) => status === 'SUCCESS')
    .map((grant) => readRefundRecord(grant.id, grant.amount, grant.updatedAt, purposeOf(grant, order)));

/** Whether a fulfillment has its own refund. */
const hasMoney = ({ totalRefundedAmount }: FulfillmentNode): boolean => totalRefundedAmount !== null;

const refundsByFulfillments = ({ fulfillments }: OrderNode): readonly RefundRecordReading[] =>
  fulfillments.filter(hasMoney).map(({ id, created, totalRefundedAmount, shippingRefundedAmount, lines }) => {
    const units = unitsByLine(lines);
    const shipping = shippingRefundedAmount === null ? undefined : moneyOf(shippingRefundedAmount);
    return totalRefundedAmount === null
      ? undefined
      : readRefundRecord(id, totalRefundedAmount, created, {
          fulfillmentId: id,
          ...(units.size > 0 && { units }),
          ...(shipping !== undefined && { shipping }),
        });
  });

const refundReadingsOf = (order: OrderNode): readonly RefundRecordReading[] => {
  const grants = refundsByGrants(order);
  return order.transactions.length > 0
    ? refundsByTransactions(order)
    : grants.length > 0
      ? grants
      : refundsByFulfillments(order);
};

/**
 * Reads the refunds of an order, oldest first.
 * Saleor reports the same refund up to three times. A fulfillment has the requested amount, a granted refund the agreed
 * one, a transaction event the paid one. Only one source is used. It does not change while the refund is in progress.
 * Otherwise the refund would count twice.
 *
 * 1. An order with transactions: only their events, even if there are none yet.
 * 2. An order without transactions: its granted refunds that succeeded.
 * 3. Without these: the refunds of its fulfillments, which the older payments paid at once.
 */
export const readRefundRecords = (order: OrderNode): Result<PartialRead<RefundRecord>, ShopFailure> => {
  const readings = readExpectedShape('refund_unreadable', () => ok(refundReadingsOf(order)));
  if (!readings.ok) return ok({ read: [], unread: readings.failure });
  const read = readings.value;
  const present = read.filter((reading) => reading !== undefined);
  const records = readEach(present, (reading) =>
    reading === 'unreadable' ? permanentFailure('refund_unreadable') : ok(reading),
  );
  if (!records.ok) return records;
  return ok({
    ...records.value,
    read: records.value.read.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))),
  });
};
