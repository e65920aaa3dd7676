import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import type { Order, OrderLine } from '../../../lib/domain/returns/model/order.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import {
  fulfilled,
  kept,
  type LineUnits,
  returnable,
  shipped,
  shippedAnyway,
  takenOfKept,
  unshipped,
} from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger, type Ledger, ledgerLine } from '../../../lib/domain/returns/money/order-ledger.ts';
import { holdWithdrawn, raiseSold, releaseWithdrawn } from '../../../lib/domain/returns/money/withdrawn-units.ts';
import { sum } from '../../../lib/domain/returns/units-by-line.ts';
import { effectOfMatch, heldUnitsShipped } from '../../../lib/domain/withdrawals/effect/effect-of-match.ts';
import { eur, order as orderOf, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

/*
 * Any sequence of facts and commands on one order, with the functions that the service calls in its transactions. An
 * invariant that holds after each step holds for every interleaving, because the ledger orders the transactions.
 */

const now = '2026-11-21T08:00:00.000Z';
const seed = 20261126;
const floor = { law: 'EU 2011/83', fees: [] } as const;
const lineIds = ['1', '2'] as const;

type Held = { readonly id: string; readonly declared: number; cancelled: readonly LineUnits[]; returned: LineUnits[] };
/** Withdrawn units of each line that the platform cancelled, and that a refund paid. They are counted apart. */
type Counts = Record<string, number>;
type World = {
  order: Order;
  ledger: Ledger;
  returns: Return[];
  held: Held[];
  created: number;
  converted: number;
  cancelledAtShop: Counts;
  refundedHeld: Counts;
  /** The highest quantity of each line since a refund without a return. */
  soldMost: Counts;
};

const start = (): World => ({
  order: orderOf({
    country: 'DE',
    lines: lineIds.map((lineId) => orderLine({ lineId, quantity: 4, fulfilledQuantity: 0 })),
  }),
  ledger: emptyLedger,
  returns: [],
  held: [],
  created: 0,
  converted: 0,
  cancelledAtShop: { 1: 0, 2: 0 },
  refundedHeld: { 1: 0, 2: 0 },
  soldMost: {},
});

const actor = { at: now, actor: { clientId: 'shop' }, causationId: 'a', correlationId: 'b', policyVersion: null };
const unitsIn = (lines: readonly LineUnits[], orderLineId?: string): number =>
  sum(lines.map((one) => (orderLineId === undefined || one.orderLineId === orderLineId ? one.quantity : 0)));

/** Counts the units of a line that withdrawals hold. */
const heldUnits = ({ held }: Pick<World, 'held'>, lineId: string): number =>
  sum(held.map(({ cancelled }) => unitsIn(cancelled, lineId)));

/** Counts the units by which a platform lowered the quantity of a line, since a withdrawal holds some. */
const countCancelled = (world: World, lineId: string, less: number): void => {
  const known = world.cancelledAtShop[lineId] ?? 0;
  if (heldUnits(world, lineId) > 0) world.cancelledAtShop[lineId] = Math.max(0, known + less);
};

/** Requests a return; false when it fails. */
const request = (world: World, lines: readonly LineUnits[], isWithdrawal: boolean): boolean => {
  world.created += 1;
  const outcome = createReturn(
    { order: world.order, ledger: world.ledger, now, withdrawable: new Set(isWithdrawal ? lineIds : []) },
    {
      ...(isWithdrawal && { basis: 'withdrawal' as const }),
      lines: lines.map((line) => ({ ...line, reason: { code: 'unknown' } })),
    },
    { ...defaultTerms, approval: 'auto', floor },
    {
      id: `ret_${world.created}`,
      rmaNumber: '0',
      lineIds: lines.map((_, index) => `${world.created}-${index}`),
      subject: 'x',
    },
  );
  if (!outcome.ok) return false;
  world.returns.push(appendEntries(undefined, outcome.value.events, actor).state);
  world.ledger = outcome.value.ledger;
  return true;
};

/** Makes returns of held units that were shipped, as the registration of an order does. */
const convert = (world: World): void => {
  for (const one of world.held) {
    const lines = heldUnitsShipped(one.cancelled, world);
    if (lines.length === 0) continue;
    const isLast = unitsIn(lines) === unitsIn(one.cancelled);
    world.ledger = releaseWithdrawn(world.ledger, world.order, one.id, { lines, cause: 'shipped', isLast });
    expect(request(world, lines, true)).toBe(true);
    one.cancelled = one.cancelled
      .map((held) => ({ ...held, quantity: held.quantity - unitsIn(lines, held.orderLineId) }))
      .filter(({ quantity }) => quantity > 0);
    one.returned.push(...lines);
    world.converted += 1;
  }
};

const lineOf = ({ order }: World, index: number): OrderLine => {
  const line = order.facts.lines[index];
  if (line === undefined) throw new Error('no line');
  return line;
};

const register = (world: World, change: (line: OrderLine) => OrderLine): void => {
  const { order, ledger } = world;
  const facts = { ...order.facts, lines: order.facts.lines.map(change) };
  const at = new Date(Date.parse(now) + order.version).toISOString();
  const registration = { ref: order, facts, observedAt: at, latest: '2027-01-01T00:00:00.000Z', id: order.id, now: at };
  const registered = registerOrder({ order, ledger }, registration);
  if (!registered.ok) return;
  for (const [index, { lineId, quantity }] of registered.value.facts.lines.entries())
    countCancelled(world, lineId, lineOf(world, index).quantity - quantity);
  for (const { lineId, quantity } of registered.value.facts.lines)
    if (world.soldMost[lineId] !== undefined) world.soldMost[lineId] = Math.max(world.soldMost[lineId], quantity);
  world.order = registered.value;
  world.ledger = raiseSold(ledger, world.order);
  convert(world);
};

const free = ({ ledger }: World, line: OrderLine): number => kept(ledger, line) - takenOfKept(ledger, line);

const match = (world: World, wanted: readonly LineUnits[] | undefined): void => {
  world.created += 1;
  const id = `wdr_${world.created}`;
  const declaration = { lines: wanted, declaredAt: now };
  const { cancelled, returned, denied, undecided } = effectOfMatch(statutoryRules, world, declaration);
  expect([denied, undecided]).toEqual([[], []]);
  for (const line of world.order.facts.lines) {
    // All declared units that nothing has taken are cancelled or returned, and no other ones.
    const most = wanted === undefined ? line.quantity : unitsIn(wanted, line.lineId);
    const expected = Math.max(0, Math.min(most, free(world, line)));
    expect(unitsIn(cancelled, line.lineId) + unitsIn(returned, line.lineId)).toBe(expected);
  }
  for (const { orderLineId } of cancelled)
    world.cancelledAtShop[orderLineId] = Math.min(
      world.cancelledAtShop[orderLineId] ?? 0,
      heldUnits(world, orderLineId),
    );
  world.ledger = holdWithdrawn(world.ledger, world.order, id, cancelled);
  if (returned.length > 0) expect(request(world, returned, true)).toBe(true);
  const declared = unitsIn(cancelled) + unitsIn(returned);
  world.held.push({ id, declared, cancelled, returned: [...returned] });
};

/** Releases the units of a mistake. Staff does not, once the shop has cancelled units of the order. */
const mistake = (world: World, index: number): void => {
  const one = world.held[index % Math.max(1, world.held.length)];
  const isCancelled = Object.values(world.cancelledAtShop).some((count) => count > 0);
  if (one === undefined || one.cancelled.length === 0 || one.returned.length > 0 || isCancelled) return;
  const release = { lines: one.cancelled, cause: 'mistake', isLast: true } as const;
  world.ledger = releaseWithdrawn(world.ledger, world.order, one.id, release);
  world.held = world.held.filter((other) => other !== one);
  for (const lineId of lineIds)
    world.refundedHeld[lineId] = Math.min(world.refundedHeld[lineId] ?? 0, heldUnits(world, lineId));
};

const refundAlone = (world: World, index: number, most: number): void => {
  const { order, ledger } = world;
  const { lineId, quantity: sold } = lineOf(world, index);
  const { held, refundedAlone } = ledgerLine(ledger, lineId);
  const quantity = Math.min(most, sold - held - refundedAlone);
  if (quantity <= 0) return;
  const command = {
    amount: eur(quantity),
    method: 'original_payment',
    occurredAt: now,
    lines: [{ orderLineId: lineId, quantity }],
  } as const;
  const refund = recordRefund(order, ledger, undefined, command, { id: 'r', externalId: 'x', now, latest: now });
  if (!refund.ok) throw new Error(refund.failure.code);
  world.ledger = refund.value.ledger;
  world.soldMost[lineId] = Math.max(world.soldMost[lineId] ?? 0, sold);
  const paid = world.refundedHeld[lineId] ?? 0;
  world.refundedHeld[lineId] = Math.min(paid + quantity, Math.max(paid, heldUnits(world, lineId)));
};

const cancelReturn = (world: World, index: number): void => {
  const place = index % Math.max(1, world.returns.length);
  const state = world.returns[place];
  if (state === undefined || state.status === 'cancelled') return;
  const outcome = cancel({ ...world, state, now, admin: true }, { cancellation: {} });
  if (!outcome.ok || outcome.value === undefined) throw new Error('not cancelled');
  world.returns[place] = appendEntries(state, outcome.value.events, actor).state;
  world.ledger = outcome.value.ledger;
};

/** A step with its name, which a counterexample shows. */
type Act = readonly [name: string, run: (world: World) => void];
const act = (name: string, run: (world: World) => void): Act => [name, run];

const atLine = (world: World, index: number, change: (line: OrderLine) => Partial<OrderLine>): void =>
  register(world, (one) => (one.lineId === lineIds[index] ? { ...one, ...change(one) } : one));
const unitsOfLine = (index: number, quantity: number): readonly LineUnits[] => [
  { orderLineId: lineIds[index] ?? '', quantity },
];

/** Ships units, or corrects the number of shipped ones. */
const ship = (index: number, more: number): Act =>
  act(`ship ${more} of ${index}`, (world) =>
    atLine(world, index, (one) => ({
      fulfilledQuantity: Math.max(0, Math.min(one.quantity, fulfilled(one) + more)),
    })),
  );
/** Sells more units, or cancels some at the platform. */
const sell = (index: number, more: number): Act =>
  act(`sell ${more} of ${index}`, (world) =>
    atLine(world, index, ({ quantity }) => ({ quantity: Math.max(1, quantity + more) })),
  );
const requestUnits = (index: number, quantity: number): Act =>
  act(`return ${quantity} of ${index}`, (world) => {
    const most = returnable(world.ledger, lineOf(world, index));
    expect(request(world, unitsOfLine(index, quantity), false)).toBe(quantity <= most);
  });

const line = fc.nat({ max: 1 });
const units = fc.integer({ min: 1, max: 4 });
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(line, fc.integer({ min: -1, max: 3 })).map(([index, more]) => ship(index, more)),
  fc.tuple(line, fc.integer({ min: -2, max: 2 })).map(([index, more]) => sell(index, more)),
  line.map((index) => act(`send ${index}`, (world) => atLine(world, index, () => ({ shippedAt: now })))),
  fc
    .tuple(line, units)
    .map(([index, some]) => act(`withdraw ${some} of ${index}`, (world) => match(world, unitsOfLine(index, some)))),
  fc.constant(act('withdraw all', (world) => match(world, undefined))),
  fc.nat(5).map((index) => act(`mistake ${index}`, (world) => mistake(world, index))),
  fc.tuple(line, units).map(([index, some]) => requestUnits(index, some)),
  fc.nat(5).map((index) => act(`cancel return ${index}`, (world) => cancelReturn(world, index))),
  fc
    .tuple(line, units)
    .map(([index, some]) => act(`refund ${some} of ${index}`, (world) => refundAlone(world, index, some))),
);

/** Checks what must hold after each step. */
const check = (world: World): void => {
  const { ledger, order, held } = world;
  for (const one of order.facts.lines) {
    const { lineId, quantity } = one;
    const { held: inReturns, refundedAlone, withdrawn } = ledgerLine(ledger, lineId);
    const [open, taken] = [heldUnits(world, lineId), takenOfKept(ledger, one)];
    expect(withdrawn?.units ?? 0).toBe(open);
    expect(kept(ledger, one)).toBe(quantity - Math.max(0, open - (world.cancelledAtShop[lineId] ?? 0)));
    const others = refundedAlone - (world.refundedHeld[lineId] ?? 0);
    // The platform lowers the quantity by withdrawn units first, then by refunded ones.
    const lowered = (world.soldMost[lineId] ?? 0) - quantity - Math.min(open, world.cancelledAtShop[lineId] ?? 0);
    expect(taken).toBe(inReturns + others - Math.max(0, Math.min(others, lowered)));
    // No unit counts twice: each is in a return, refunded, withdrawn, or none of these.
    expect(taken).toBeLessThanOrEqual(kept(ledger, one));
    expect(returnable(ledger, one)).toBeLessThanOrEqual(fulfilled(one));
    expect(Math.min(returnable(ledger, one), unshipped(ledger, one))).toBeGreaterThanOrEqual(0);
    expect(unshipped(ledger, one) + returnable(ledger, one, shipped)).toBe(free(world, one));
    // The registration of the order has made returns of the shipped units.
    expect(shippedAnyway(ledger, one)).toBe(0);
  }
  expect((ledger.withdrawals ?? []).toSorted()).toEqual(
    held.flatMap(({ id, cancelled }) => (cancelled.length > 0 ? [id] : [])).toSorted(),
  );
  for (const { declared, cancelled, returned } of held) expect(unitsIn(cancelled) + unitsIn(returned)).toBe(declared);
};

describe('the ledger of an order with withdrawals', () => {
  it('counts no unit twice and loses none, in any sequence of facts and commands', () => {
    let converted = 0;
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 14 }), (steps) => {
        const world = start();
        for (const [, run] of steps) {
          run(world);
          check(world);
        }
        converted += world.converted > 0 ? 1 : 0;
      }),
      { numRuns: runs(4_000), seed },
    );
    // Many sequences ship held units.
    expect(converted).toBeGreaterThan(runs(400));
  });

  it('is the same as before after a mistake', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 8 }), line, units, (steps, index, quantity) => {
        const world = start();
        for (const [, run] of steps) run(world);
        const before = { ...world };
        const unitsOf = ({ ledger, order }: World) =>
          order.facts.lines.map((one) => [returnable(ledger, one), unshipped(ledger, one), kept(ledger, one)]);
        const returns = world.returns.length;
        match(world, unitsOfLine(index, quantity));
        if (world.returns.length > returns) return;
        mistake(world, world.held.length - 1);
        if (world.held.length === before.held.length) return;
        expect(unitsOf(world)).toEqual(unitsOf(before));
      }),
      { numRuns: runs(2_000), seed },
    );
  });
});
