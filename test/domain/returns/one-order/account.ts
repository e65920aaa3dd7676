import { expect } from 'vitest';
import type { PriceReduction, Refund } from '../../../../lib/domain/returns/model/refund.ts';
import type { Line, Return } from '../../../../lib/domain/returns/model/return.ts';
import { paidForOrder } from '../../../../lib/domain/returns/money/amounts.ts';
import { type Ledger, ledgerLine, type LedgerLine } from '../../../../lib/domain/returns/money/order-ledger.ts';
import { recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import { ownPayments } from '../../../../lib/domain/returns/money/refund-ceiling.ts';
import { paidTotal } from '../../../../lib/domain/returns/money/sold-lines.ts';
import type { OneOrder } from './act.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const isLive = ({ status }: { readonly status: string }) => status !== 'cancelled' && status !== 'reversed';

/** Returns the part of the price reductions of a line that is for units that the return does not claim. */
const keptOf = (line: Line | undefined, reductions: readonly PriceReduction[]) => {
  const stated = sum(reductions.map(({ quantity }) => quantity));
  const units = Math.min(stated, line?.quantities.requested ?? stated);
  const { rejected = 0, cancelled = 0, refused = 0, granted = 0 } = line?.quantities ?? {};
  const missing = sum((line?.missing ?? []).map(({ quantity }) => quantity));
  const kept = line === undefined ? units : Math.min(units, rejected + cancelled + missing + refused - granted);
  const part = (total: number) => (units === 0 ? 0 : Math.floor((2 * total * kept + units) / (2 * units)));
  return {
    units: kept,
    gross: part(sum(reductions.map(({ gross }) => gross.amount))),
    tax: part(sum(reductions.map(({ tax }) => tax.amount))),
  };
};

/** Returns what live price reductions of a return took of an order line, for units that the customer keeps. */
const reducedBy = (state: Return, orderLineId: string) => {
  const all = state.refunds
    .filter(isLive)
    .flatMap(({ breakdown: { reductions = [] } }) => reductions)
    .filter((reduction) => reduction.orderLineId === orderLineId);
  return [...new Set(all.map(({ lineId }) => lineId))].map((lineId) =>
    keptOf(
      state.lines.find(({ id }) => id === lineId),
      all.filter((reduction) => reduction.lineId === lineId),
    ),
  );
};

/** Returns the units of a line that no other return may have: requested and not released, without lost units. */
const heldOf = ({ quantities, missing }: Line): number => {
  const { requested, rejected, cancelled } = quantities;
  return requested - rejected - cancelled - sum(missing.map(({ quantity, granted }) => quantity - granted));
};

type Compensation = Pick<Refund['breakdown']['lines'][number], 'quantity' | 'gross' | 'tax' | 'worth'>;

/** Returns one return's share of the account of an order line, from its own state. */
const shareOf = (state: Return, orderLineId: string) => {
  const own = state.lines.filter((line) => line.orderLineId === orderLineId);
  const paid = state.refunds.filter(isLive).flatMap(({ breakdown }) => breakdown.lines);
  const compensations: readonly Compensation[] = [
    ...paid.filter((line) => line.orderLineId === orderLineId),
    ...state.exchanges.filter((one) => isLive(one) && own.some(({ id }) => id === one.lineId)),
  ];
  const held = own.map(heldOf);
  const forHeld = own.map(({ quantities }, at) => Math.min(quantities.refunded + quantities.exchanged, held[at] ?? 0));
  const units = sum(compensations.map(({ quantity }) => quantity));
  return { held: sum(held), alone: Math.max(0, units - sum(forHeld)), compensations };
};

/** Recomputes the account of an order line. */
const addUp = ({ account, alone }: OneOrder, orderLineId: string): LedgerLine => {
  const shares = account.returns.map((state) => shareOf(state, orderLineId));
  const outside = alone.flatMap(({ breakdown }) => breakdown.lines.filter((line) => line.orderLineId === orderLineId));
  const compensations = [...shares.flatMap((share) => share.compensations), ...outside];
  const kept = [
    ...account.returns.flatMap((state) => reducedBy(state, orderLineId)),
    ...alone
      .flatMap(({ breakdown: { reductions = [] } }) => reductions)
      .filter((reduction) => reduction.orderLineId === orderLineId)
      .map((reduction) => keptOf(undefined, [reduction])),
  ];
  const reduced = {
    units: sum(kept.map(({ units }) => units)),
    gross: sum(kept.map(({ gross }) => gross)),
    tax: sum(kept.map(({ tax }) => tax)),
  };
  return {
    ...(reduced.units > 0 && { reduced }),
    held: sum(shares.map(({ held }) => held)),
    refundedAlone: sum([...shares.map((share) => share.alone), ...outside.map(({ quantity }) => quantity)]),
    granted: {
      units: sum(compensations.map(({ quantity }) => quantity)),
      // A unit counts with its worth, whatever a platform paid for it.
      gross: sum(compensations.map(({ gross, worth }) => worth?.gross ?? gross.amount)),
      tax: sum(compensations.map(({ tax, worth }) => worth?.tax ?? tax.amount)),
    },
  };
};

/** Returns what a refund pays of the price of the order: all but payments on top. */
const paidBack = ({ amount, breakdown: { extras = [] } }: Pick<Refund, 'amount' | 'breakdown'>): number =>
  amount.amount - sum(extras.map((extra) => extra.amount.amount));

const priceOf = ({ newItem: { price, quantity } }: Return['exchanges'][number]) =>
  price === undefined ? undefined : price.amount * quantity;

/** Returns what the customer has at most from an exchange: the new item, or the worth of the units. */
const valueOf = (exchange: Return['exchanges'][number]) => Math.max(exchange.gross.amount, priceOf(exchange) ?? 0);

/** Returns the money for goods that a refund keeps, because the customer owes it for dearer items. */
const setOffOf = ({ breakdown: { exchange } }: Pick<Refund, 'breakdown'>): number =>
  Math.max(0, -(exchange?.amount ?? 0));

/** Returns what a return gave of the paid money: its refunds and new items, without differences of their price. */
const givenOf = (state: Return): number => {
  const refunds = state.refunds.filter(isLive);
  const exchanges = state.exchanges.filter(isLive);
  const differences = sum(exchanges.map((one) => one.gross.amount - (priceOf(one) ?? one.gross.amount)));
  const paid = sum(refunds.map(({ breakdown }) => breakdown.exchange?.amount ?? 0));
  const worth = sum(exchanges.map(({ gross }) => gross.amount));
  return sum(refunds.map(paidBack)) - paid + worth - Math.max(0, differences - paid);
};

/** Checks that each payment gave back what the refunds say, at most what it got, and all of a refund while it can. */
const expectTenders = ({ account: { order, ledger } }: OneOrder, refunds: readonly Refund[]): void => {
  const tenders = refunds.flatMap((refund) => refund.tenders ?? []);
  for (const { id, paid } of order.facts.payments ?? []) {
    const given = ledger.given[`tender/${id}`] ?? 0;
    expect(given).toBe(sum(tenders.filter(({ paymentId }) => paymentId === id).map(({ amount }) => amount.amount)));
    expect(given).toBeLessThanOrEqual(paid.amount);
  }
  for (const refund of refunds) {
    const parts = sum((refund.tenders ?? []).map(({ amount }) => amount.amount));
    expect(parts).toBeLessThanOrEqual(paidBack(refund));
  }
};

/** Checks the invariants of the account. External money may exceed the amount paid. */
export const expectAddsUp = (one: OneOrder): void => {
  const { order, ledger, returns } = one.account;
  for (const { lineId } of order.facts.lines) {
    const { sold: _, ...line } = ledgerLine(ledger, lineId);
    expect(line).toEqual(addUp(one, lineId));
    // Each grant is for a unit that a return holds, or for one refunded without a return.
    expect(line.granted.units).toBeLessThanOrEqual(line.held + line.refundedAlone);
  }
  const refunds = [...returns.flatMap((state) => state.refunds.filter(isLive)), ...one.alone];
  expect(ledger.given.amount).toBe(sum([...returns.map(givenOf), ...one.alone.map(paidBack)]));
  expect(ledger.given.money ?? 0).toBe(sum(refunds.map((refund) => paidBack(refund) + setOffOf(refund))));
  expectTenders(one, refunds);
  expect(ledger.given.shipping).toBe(sum(refunds.map(({ breakdown }) => breakdown.shipping.amount)));
  expect(ledger.given.own ?? 0).toBe(sum(returns.map(ownPayments)));
  expect(ledger.returns).toBe(returns.length);
  for (const state of returns) {
    // A recovery never exceeds the money and goods that the return gave.
    const paid = sum(state.refunds.filter(isLive).map(({ amount }) => amount.amount));
    const exchanged = sum(state.exchanges.filter(isLive).map(valueOf));
    expect(recoveryDue(state)).toBeGreaterThanOrEqual(0);
    expect(recoveryDue(state)).toBeLessThanOrEqual(paid + exchanged);
  }
};

/** Checks that a command never gave more units or money than were left, whatever was paid externally. */
export const expectNoMoreThanPaid = ({ account }: OneOrder, before: Ledger): void => {
  const { order, ledger } = account;
  const maximum = (limit: number, was: number) => Math.max(limit, was);
  for (const line of order.facts.lines) {
    const [was, is] = [ledgerLine(before, line.lineId), ledgerLine(ledger, line.lineId)];
    const tax = line.taxTotal?.amount ?? 0;
    expect(is.granted.gross).toBeLessThanOrEqual(maximum(Number(paidTotal(line)), was.granted.gross));
    expect(is.granted.tax).toBeLessThanOrEqual(maximum(tax, was.granted.tax));
    expect(is.held + is.refundedAlone).toBeLessThanOrEqual(maximum(line.quantity, was.held + was.refundedAlone));
  }
  const payments = order.facts.paymentsComplete === true ? (order.facts.payments ?? []) : undefined;
  const paid = payments === undefined ? Infinity : sum(payments.map((payment) => payment.paid.amount));
  expect(ledger.given.money ?? 0).toBeLessThanOrEqual(maximum(paid, before.given.money ?? 0));
  expect(ledger.given.amount).toBeLessThanOrEqual(maximum(Number(paidForOrder(order, ledger)), before.given.amount));
};

/** Checks that money for units and price reductions of a line are together at most its price. */
export const expectPriceLeft = ({ account: { order, ledger } }: OneOrder, before: Ledger): void => {
  const grossOf = ({ granted, reduced }: LedgerLine) => granted.gross + (reduced?.gross ?? 0);
  for (const line of order.facts.lines) {
    const [was, is] = [ledgerLine(before, line.lineId), ledgerLine(ledger, line.lineId)];
    expect(grossOf(is)).toBeLessThanOrEqual(Math.max(Number(paidTotal(line)), grossOf(was)));
  }
};

/** Checks that a line whose units are all granted gave its price, less the reductions that the customer keeps. */
export const expectWholePrice = ({ account: { order, ledger } }: OneOrder): void => {
  for (const line of order.facts.lines) {
    const { granted, reduced } = ledgerLine(ledger, line.lineId);
    if (granted.units !== line.quantity) continue;
    expect(granted.gross + (reduced?.gross ?? 0)).toBe(Number(paidTotal(line)));
  }
};
