import fc from 'fast-check';
import { ulid } from 'ulid';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { summarizeReturn } from '../../../lib/domain/returns/summary.ts';
import type { Session } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { writeOrderNumber } from '../../../lib/store/orders/orders.ts';
import { writeMarkers, writeReturn, writeTrackingChanges } from '../../../lib/store/returns/returns.ts';
import { expectAgreement } from '../../domain/returns/model/agree.ts';
import { lives } from '../../domain/returns/model/steps.ts';
import { anyLife, visitLife } from '../any-return.ts';

/** A stored return, its tracking numbers, and all numbers that its order has had. */
export type Listed = {
  readonly state: Return;
  readonly trackingNumbers: readonly string[];
  readonly orderNumbers: readonly string[];
};

/** Returns a state of each kind that some lives reach: of each status, next step and set of flags. */
const reachedStates = (seed: number): readonly Return[] => {
  const states = new Map<string, Return>();
  const keep = ({ state }: { readonly state: Return }) => {
    const { status, nextStep, flags } = summarizeReturn(state);
    states.set(JSON.stringify([status, nextStep, flags]), state);
  };
  for (const life of fc.sample(lives(40), { numRuns: 60, seed })) expectAgreement(life, new Map(), keep);
  for (const life of fc.sample(anyLife, { numRuns: 60, seed })) visitLife(life, keep);
  return [...states.values()];
};

const dayMs = 86_400_000;
const days = fc.constantFrom(null, 0, 10, 30, 60, 90);
const platforms = ['web', 'shopify', 'market'] as const;

/**
 * The orders. Some share a number, also over platforms. Some have had two numbers, and some are known by their id,
 * which is the number of others. A number may have a `#`.
 */
export const orders = platforms.flatMap((platform) => [
  { platform, orderId: '1001', numbers: ['1001'] },
  { platform, orderId: 'A#1/ü', numbers: ['#1001'] },
  { platform, orderId: `${platform}-2`, numbers: ['#1002', 'W-7'] },
  { platform, orderId: 'w-3', numbers: ['##5 ü'] },
  { platform, orderId: 'w-4', numbers: ['w-4'] },
]);

export const customerIds = ['anna', 'bo#1', 'c/ü'] as const;
export const skus = ['SHIRT-M', 'SHIRT-L', 'HAT'] as const;
export const reasons = ['fit.too_small', 'fit.too_large', 'other'] as const;
export const trackingNumbers = ['JD-1', 'JD-2', '1Z 9#3'] as const;

/** What a copy of a state has of its own. Few values, so that several returns match a filter. */
const own = fc.record({
  order: fc.constantFrom(...orders),
  numbered: fc.nat(1),
  customer: fc.option(fc.constantFrom(...customerIds), { nil: undefined }),
  isGift: fc.constantFrom(false, false, false, true),
  managedBy: fc.constantFrom('service', 'service', 'platform'),
  hasRef: fc.boolean(),
  tracked: fc.subarray([...trackingNumbers], { maxLength: 2 }),
  sku: fc.array(fc.constantFrom(...skus), { minLength: 1, maxLength: 3 }),
  reason: fc.array(fc.constantFrom(...reasons), { minLength: 1, maxLength: 3 }),
  deadlines: fc.record({ shipByDays: days, answerByDays: days, inspectByDays: days, refundDueDays: days }),
  // Half a day from the present, so that no deadline passes during a test.
  age: fc.nat(80).map((whole) => (whole + 0.5) * dayMs),
  /** The id is older or younger than the creation time: the clock may be set back in between. */
  skewMs: fc.integer({ min: -59_000, max: 59_000 }),
  /** Several returns change in the same millisecond. */
  changed: fc.nat(12),
});

type Own = typeof own extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns a copy of a state with its own order, customer, lines, deadlines and times. */
const copyOf = (state: Return, given: Own, index: number, now: number): Listed => {
  const { order, numbered, customer, isGift, managedBy, hasRef, tracked, sku, reason, deadlines, age } = given;
  const created = now - age;
  const at = new Date(created).toISOString();
  const number = order.numbers[numbered % order.numbers.length] ?? '';
  const times = Object.fromEntries(
    Object.keys(state)
      .filter((name) => name.endsWith('At'))
      .map((name) => [name, at]),
  );
  const { platform, orderId } = order;
  const copy: Return = {
    ...state,
    ...times,
    id: `ret_${ulid(created + given.skewMs)}`,
    rmaNumber: String(index).padStart(11, '0'),
    order: { platform, orderId, ...(number === orderId ? {} : { number }) },
    customer: customer === undefined ? {} : { id: customer },
    isGift,
    managedBy,
    externalRefs: hasRef ? [{ platform, id: `gid://${platform}/Return:${index}` }] : [],
    lines: state.lines.map((line, at) => ({
      ...line,
      sku: sku[at % sku.length] ?? '',
      reason: { code: reason[at % reason.length] ?? '' },
    })),
    terms: { ...state.terms, deadlines },
    updatedAt: new Date(now - given.changed * dayMs).toISOString(),
  };
  return { state: copy, trackingNumbers: tracked, orderNumbers: order.numbers };
};

/** Returns so many different returns, none of them stored. */
export const generateReturns = (count: number, seed: number, now = Date.now()): readonly Listed[] => {
  const states = reachedStates(seed);
  const chosen = fc.sample(fc.tuple(fc.constantFrom(...states), own), { numRuns: count, seed });
  return chosen.map(([state, given], index) => copyOf(state, given, index, now));
};

/** The returns of a transaction. Each has up to six items. */
const batchSize = 15;

/** Stores new returns, with the rows by which lists find them. */
export const storeReturns = async (session: Session, returns: readonly Listed[]): Promise<void> => {
  for (let first = 0; first < returns.length; first += batchSize) {
    const batch = returns.slice(first, first + batchSize);
    const { written } = await transact(
      session,
      batch.flatMap(({ state, trackingNumbers: numbers }) => [
        ...writeReturn(state, [], undefined),
        ...writeMarkers(state),
        ...writeTrackingChanges([], numbers, state.id),
      ]),
    );
    if (!written) throw new Error('a return exists');
  }
  for (const order of orders)
    await transact(
      session,
      order.numbers.map((number) => writeOrderNumber(order, number)),
    );
};
