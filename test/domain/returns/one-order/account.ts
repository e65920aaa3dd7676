import { expect } from 'vitest';
import type { PriceReduction, Refund } from '../../../../lib/domain/returns/model/refund.ts';
import type { Line, Return } from '../../../../lib/domain/returns/model/return.ts';
import { type Ledger, ledgerLine, type LedgerLine } from '../../../../lib/domain/returns/money/order-ledger.ts';
import { recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import type { OneOrder } from './act.ts';
import { minorUnits, paidOfOrder, priceOfLine, priceOfOrder, sum } from './price.ts';

/*
 * An independent count of the account of an order. It counts money in BigInt, from the facts of the order and from what
 * its returns and refunds state, and uses no sum of the domain.
 */

const count = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const isLive = ({ status }: { readonly status: string }) => status !== 'cancelled' && status !== 'reversed';

/** Returns the part of the price reductions of a line that is for units that the return does not claim. */
const keptOf = (line: Line | undefined, reductions: readonly PriceReduction[]) => {
  const stated = count(reductions.map(({ quantity }) => quantity));
  const units = Math.min(stated, line?.quantities.requested ?? stated);
  const { rejected = 0, cancelled = 0, refused = 0, granted = 0 } = line?.quantities ?? {};
  const missing = count((line?.missing ?? []).map(({ quantity }) => quantity));
  const kept = line === undefined ? units : Math.min(units, rejected + cancelled + missing + refused - granted);
  const part = (total: bigint) =>
    units === 0 ? 0n : (2n * total * BigInt(kept) + BigInt(units)) / (2n * BigInt(units));
  return {
    units: kept,
    gross: part(sum(reductions.map(({ gross }) => minorUnits(gross)))),
    tax: part(sum(reductions.map(({ tax }) => minorUnits(tax)))),
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
  return requested - rejected - cancelled - count(missing.map(({ quantity, granted }) => quantity - granted));
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
  const units = count(compensations.map(({ quantity }) => quantity));
  return { held: count(held), alone: Math.max(0, units - count(forHeld)), compensations };
};

type CountedMoney = { readonly units: number; readonly gross: bigint; readonly tax: bigint };

/** The account of an order line: its units, and its money in BigInt. */
type CountedLine = {
  readonly held: number;
  readonly refundedAlone: number;
  readonly granted: CountedMoney;
  readonly reduced?: CountedMoney;
};

/** Recomputes the account of an order line. */
const addUp = ({ account, alone }: OneOrder, orderLineId: string): CountedLine => {
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
    units: count(kept.map(({ units }) => units)),
    gross: sum(kept.map(({ gross }) => gross)),
    tax: sum(kept.map(({ tax }) => tax)),
  };
  return {
    ...(reduced.units > 0 && { reduced }),
    held: count(shares.map(({ held }) => held)),
    refundedAlone: count([...shares.map((share) => share.alone), ...outside.map(({ quantity }) => quantity)]),
    granted: {
      units: count(compensations.map(({ quantity }) => quantity)),
      // A unit counts with its worth, whatever a platform paid for it.
      gross: sum(compensations.map(({ gross, worth }) => BigInt(worth?.gross ?? gross.amount))),
      tax: sum(compensations.map(({ tax, worth }) => BigInt(worth?.tax ?? tax.amount))),
    },
  };
};

/** Returns what a refund pays of the price of the order: all but payments on top. */
const paidBack = ({ amount, breakdown: { extras = [] } }: Pick<Refund, 'amount' | 'breakdown'>): bigint =>
  minorUnits(amount) - sum(extras.map((extra) => minorUnits(extra.amount)));

const priceOf = ({ newItem: { price, quantity } }: Return['exchanges'][number]) =>
  price === undefined ? undefined : minorUnits(price) * BigInt(quantity);

/** Returns what the customer has at most from an exchange: the new item, or the worth of the units. */
const valueOf = (exchange: Return['exchanges'][number]) => most(minorUnits(exchange.gross), priceOf(exchange) ?? 0n);

/** Returns the money for goods that a refund keeps, because the customer owes it for dearer items. */
const setOffOf = ({ breakdown: { exchange } }: Pick<Refund, 'breakdown'>): bigint => most(0n, -minorUnits(exchange));

/** Returns what a return gave of the paid money: its refunds and new items, without differences of their price. */
const givenOf = (state: Return): bigint => {
  const refunds = state.refunds.filter(isLive);
  const exchanges = state.exchanges.filter(isLive);
  const differences = sum(exchanges.map((one) => minorUnits(one.gross) - (priceOf(one) ?? minorUnits(one.gross))));
  const paid = sum(refunds.map(({ breakdown }) => minorUnits(breakdown.exchange)));
  const worth = sum(exchanges.map(({ gross }) => minorUnits(gross)));
  return sum(refunds.map(paidBack)) - paid + worth - most(0n, differences - paid);
};

/** Checks that each payment gave back what the refunds say, at most what it got, and all of a refund while it can. */
const expectTenders = ({ account: { order, ledger } }: OneOrder, refunds: readonly Refund[]): void => {
  const tenders = refunds.flatMap((refund) => refund.tenders ?? []);
  for (const { id, paid } of order.facts.payments ?? []) {
    const given = BigInt(ledger.given[`tender/${id}`] ?? 0);
    expect(given).toBe(
      sum(tenders.filter(({ paymentId }) => paymentId === id).map(({ amount }) => minorUnits(amount))),
    );
    expect(given).toBeLessThanOrEqual(minorUnits(paid));
  }
  for (const refund of refunds) {
    const parts = sum((refund.tenders ?? []).map(({ amount }) => minorUnits(amount)));
    expect(parts).toBeLessThanOrEqual(paidBack(refund));
  }
};

const moneyInBigInt = ({ units, gross, tax }: LedgerLine['granted']): CountedMoney => ({
  units,
  gross: BigInt(gross),
  tax: BigInt(tax),
});

const inBigInt = ({ held, refundedAlone, granted, reduced }: LedgerLine): CountedLine => ({
  held,
  refundedAlone,
  granted: moneyInBigInt(granted),
  ...(reduced !== undefined && { reduced: moneyInBigInt(reduced) }),
});

/** Checks the invariants of the account. External money may exceed the amount paid. */
export const expectAddsUp = (one: OneOrder): void => {
  const { order, ledger, returns } = one.account;
  for (const { lineId } of order.facts.lines) {
    const line = ledgerLine(ledger, lineId);
    expect(inBigInt(line)).toEqual(addUp(one, lineId));
    // Each grant is for a unit that a return holds, or for one refunded without a return.
    expect(line.granted.units).toBeLessThanOrEqual(line.held + line.refundedAlone);
  }
  const refunds = [...returns.flatMap((state) => state.refunds.filter(isLive)), ...one.alone];
  expect(BigInt(ledger.given.amount)).toBe(sum([...returns.map(givenOf), ...one.alone.map(paidBack)]));
  expect(BigInt(ledger.given.money ?? 0)).toBe(sum(refunds.map((refund) => paidBack(refund) + setOffOf(refund))));
  expectTenders(one, refunds);
  expect(BigInt(ledger.given.shipping)).toBe(sum(refunds.map(({ breakdown }) => minorUnits(breakdown.shipping))));
  const own = refunds.filter(({ external }) => external === undefined);
  expect(BigInt(ledger.given.own ?? 0)).toBe(sum(own.map(({ amount }) => minorUnits(amount))));
  expect(ledger.returns).toBe(returns.length);
  for (const state of returns) {
    // A recovery never exceeds the money and goods that the return gave.
    const paid = sum(state.refunds.filter(isLive).map(({ amount }) => minorUnits(amount)));
    const exchanged = sum(state.exchanges.filter(isLive).map(valueOf));
    const due = BigInt(recoveryDue(state));
    expect(due).toBeGreaterThanOrEqual(0n);
    expect(due).toBeLessThanOrEqual(paid + exchanged);
  }
};

/** Checks that a command never gave more units or money than were left, whatever was paid externally. */
export const expectNoMoreThanPaid = ({ account }: OneOrder, before: Ledger): void => {
  const { order, ledger } = account;
  for (const line of order.facts.lines) {
    const [was, is] = [ledgerLine(before, line.lineId), ledgerLine(ledger, line.lineId)].map(inBigInt);
    if (was === undefined || is === undefined) throw new Error('no line');
    expect(is.granted.gross).toBeLessThanOrEqual(most(priceOfLine(line), was.granted.gross));
    expect(is.granted.tax).toBeLessThanOrEqual(most(minorUnits(line.taxTotal), was.granted.tax));
    expect(is.held + is.refundedAlone).toBeLessThanOrEqual(Math.max(line.quantity, was.held + was.refundedAlone));
  }
  const paid = paidOfOrder(order);
  const money = ({ given }: Ledger) => BigInt(given.money ?? 0);
  if (paid !== undefined) expect(money(ledger)).toBeLessThanOrEqual(most(paid, money(before)));
  expect(BigInt(ledger.given.amount)).toBeLessThanOrEqual(most(priceOfOrder(order), BigInt(before.given.amount)));
};

const grossOf = ({ granted, reduced }: LedgerLine): bigint => BigInt(granted.gross) + BigInt(reduced?.gross ?? 0);

/** Checks that money for units and price reductions of a line are together at most its price. */
export const expectPriceLeft = ({ account: { order, ledger } }: OneOrder, before: Ledger): void => {
  for (const line of order.facts.lines) {
    const [was, is] = [ledgerLine(before, line.lineId), ledgerLine(ledger, line.lineId)];
    expect(grossOf(is)).toBeLessThanOrEqual(most(priceOfLine(line), grossOf(was)));
  }
};

/**
 * Checks that a line whose units are all granted gave its price, less the reductions that the customer keeps. A refund
 * counts a reduction as paid for its unit. When that unit is then lost or refused, it is a reduction again, until the
 * refund is recovered. The reduction of a lost unit that comes after all was paid before: the other units gave less.
 */
export const expectWholePrice = ({ account: { order, ledger, returns } }: OneOrder): void => {
  for (const line of order.facts.lines) {
    const account = ledgerLine(ledger, line.lineId);
    if (account.granted.units !== line.quantity) continue;
    const reductions = returns
      .flatMap((state) => state.refunds.filter(isLive))
      .flatMap(({ breakdown }) => breakdown.reductions ?? []);
    const own = reductions.filter(({ orderLineId }) => orderLineId === line.lineId);
    const reduced = sum(own.map(({ gross }) => minorUnits(gross)));
    const beyond = grossOf(account) - priceOfLine(line);
    expect(beyond).toBeGreaterThanOrEqual(0n - reduced);
    expect(beyond).toBeLessThanOrEqual(reduced);
  }
};
