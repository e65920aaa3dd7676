import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import { readReceiptKeyRing } from '../../../lib/service/execution/key-ring.ts';
import * as commands from '../../../lib/edge/backend/standalone.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { isPublicHoliday } from '../../../lib/domain/policies/time/holidays.ts';
import { matchWithdrawals } from '../../../lib/service/schedules/withdrawals/match-withdrawals.ts';
import { receiptJwks } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { verifyReceipt } from '../../../lib/domain/withdrawals/receipt/verify-receipt.ts';
import { workers } from '../../service/jobs/worker.ts';
import { dateAt, daysLater, endOfDate, isWeekend } from '../policies/model/days.ts';
import { startSchedules } from '../../service/schedules/support.ts';
import { backendCall } from '../../support/backend-call.ts';
import { eur } from '../../support/orders.ts';
import { runsEveryCase } from '../../support/samples.ts';
import { contextWith } from '../../support/time.ts';

const { backendWith, engines } = await startSchedules();
const backend = backendWith({});
const match = matchWithdrawals(backend);
const { workOff } = workers(engines.jobsUrl, jobRunner(commands));

const count = runsEveryCase() ? 1_000 : 24;
/** A client may have this many open erasures. */
const openErasures = 20;
const seed = 20261126;
const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Zones and delivery days whose period ends at a clock change, a holiday, a weekend or a usual day. */
const places = [
  ['PT', 'Atlantic/Azores'],
  ['DE', 'Europe/Berlin'],
  ['ES', 'Atlantic/Canary'],
  ['GB', 'Europe/London'],
  ['BR', 'America/Sao_Paulo'],
] as const;
const days = ['2026-10-11', '2026-10-12', '2026-03-15', '2026-12-11', '2026-12-18', '2026-04-20', '2026-06-02'];
const kinds = ['guest', 'wrong number', 'before shipping', 'partly shipped', 'last second', 'too late'] as const;

const situations = fc.record({
  kind: fc.constantFrom(...kinds),
  place: fc.constantFrom(...places),
  day: fc.constantFrom(...days),
  hour: fc.integer({ min: 0, max: 23 }),
  lines: fc.constantFrom(undefined, undefined, undefined, 'one shirt', 'the blue hat'),
  language: fc.constantFrom('en', 'pt', 'es', 'de', 'fr'),
  isTwice: fc.boolean(),
});
type Situation = typeof situations extends fc.Arbitrary<infer One> ? One : never;

const workingDay = (country: string, date: string): string => {
  const isFree = country !== 'GB' && (isWeekend(date) || isPublicHoliday({ country }, date));
  return isFree ? workingDay(country, daysLater(date, 1)) : date;
};

/** Returns the first millisecond after the right, in the zone of the order. It shares only the table of holidays. */
const endOf = ([country, zone]: Situation['place'], delivered: string): number => {
  const first = dateAt(Date.parse(delivered), zone);
  return endOfDate(workingDay(country, daysLater(first, country === 'BR' ? 7 : 14)), zone);
};

const deliveredAt = ({ day, hour }: Situation): string => `${day}T${String(hour).padStart(2, '0')}:30:00.000Z`;

/** Returns when the consumer presses the button. */
const pressedAt = (one: Situation): number => {
  const end = endOf(one.place, deliveredAt(one));
  if (one.kind === 'too late') return end;
  return one.kind === 'last second' ? end - 1_000 : Date.parse(deliveredAt(one)) + dayMs;
};

/** The shipped units of the three of the order. */
const shippedUnits = ({ kind }: Situation): number =>
  kind === 'before shipping' ? 0 : kind === 'partly shipped' ? 2 : 3;

const ok = async <Body>(answer: Promise<{ ok: true; value: { body: Body } } | { ok: false; failure: object }>) => {
  const result = await answer;
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value.body;
};

type Consumer = { readonly number: string; readonly email: string; readonly customerId: string };

const register = async (one: Situation, { number, email, customerId }: Consumer): Promise<void> => {
  const [country, timeZone] = one.place;
  const fulfilledQuantity = shippedUnits(one);
  const deliveries = fulfilledQuantity === 0 ? [] : [{ quantity: fulfilledQuantity, at: deliveredAt(one) }];
  const line = { lineId: '1', sku: 'SHIRT', quantity: 3, unitPrice: eur(1000), fulfilledQuantity, deliveries };
  const facts = { currency: 'EUR', country, timeZone, number, placedAt: '2026-01-02T00:00:00Z', lines: [line] };
  const customer = { id: customerId, email, name: 'Ada' };
  const input = { platform: 'web', orderId: randomUUID(), observedAt: deliveredAt(one), customer, ...facts };
  await ok(backend.registerOrder(input as Input<'registerOrder'>, backendCall()));
};

type Receipt = Output<'getWithdrawalReceipt'>;
type Declared = {
  readonly one: Situation;
  readonly consumer: Consumer;
  readonly id: string;
  readonly receipt: Receipt;
};

/** Times from the declaration to its receipt, in milliseconds of the real clock. */
const receiptTimes: number[] = [];

/** Declares at the time of the situation, once or twice, and reads the receipt. */
const declare = async (one: Situation): Promise<Declared> => {
  const own = randomUUID();
  const consumer = { number: `N-${own}`, email: `ada-${own}@example.com`, customerId: `customer-${own}` };
  vi.setSystemTime(pressedAt(one));
  if (one.kind !== 'guest') await register(one, consumer);
  const contract = one.kind === 'wrong number' ? 'the order of last week' : `Order ${consumer.number}`;
  const { language, lines } = one;
  const content = { name: 'Ada', email: consumer.email, contract, ...(lines !== undefined && { lines }) };
  const start = performance.now();
  const declared = await ok(backend.declareWithdrawal({ ...content, language, timeZone: one.place[1] }, backendCall()));
  const id = declared.withdrawalId;
  const receipt = await ok(backend.getWithdrawalReceipt({ withdrawalId: id }, backendCall()));
  receiptTimes.push(performance.now() - start);
  if (one.isTwice) {
    const again = await ok(backend.declareWithdrawal({ ...content, name: ' ADA ' }, backendCall()));
    expect(again).toEqual(declared);
  }
  expect(Date.parse(declared.declaredAt)).toBe(pressedAt(one));
  return { one, consumer, id, receipt };
};

/** Whether the rule finds the order. Staff decides which lines the words of a consumer mean. */
const isMatched = ({ kind, lines }: Situation): boolean =>
  kind !== 'guest' && kind !== 'wrong number' && lines === undefined;

/** Returns what the declaration must become, by its situation alone. */
const expectedOf = (one: Situation): object => {
  const units = (quantity: number) => [{ orderLineId: '1', quantity }];
  if (!isMatched(one)) return { status: 'declared' };
  switch (one.kind) {
    case 'before shipping':
      return { status: 'matched', cancelled: units(3) };
    case 'partly shipped':
      return { status: 'matched', cancelled: units(1), returns: [{ lines: units(2) }] };
    case 'last second':
      return { status: 'matched', returns: [{ lines: units(3) }] };
    case 'too late':
      return { status: 'answered', answer: { answer: 'no_right', rule: 'period_ended' } };
    case 'guest':
    case 'wrong number':
      throw new Error('no rule finds the order');
  }
};

describe('generated declarations', () => {
  it('are stored once, receipted, matched by rule, carried out by the law, and provable after an erasure', async () => {
    const declared: Declared[] = [];
    for (const one of fc.sample(situations, { numRuns: count, seed })) declared.push(await declare(one));
    expect(new Set(declared.map(({ id }) => id)).size).toBe(count);

    vi.setSystemTime(Math.max(...declared.map(({ one }) => pressedAt(one))) + dayMs);
    expect(await match({}, contextWith())).toMatchObject({ failed: 0, through: true });
    for (const { one, id } of declared) {
      const state = await ok(backend.getWithdrawal({ withdrawalId: id }, backendCall()));
      expect({ one, state }).toMatchObject({ one, state: expectedOf(one) });
    }

    for (const [index, { one, consumer, id }] of declared.entries()) {
      const person = isMatched(one) ? { platform: 'web', customerId: consumer.customerId } : { withdrawalId: id };
      await ok(backend.eraseCustomer(person, backendCall()));
      if (index % openErasures === openErasures - 1) await workOff();
    }
    await workOff();
    const jwks = receiptJwks(await readReceiptKeyRing());
    for (const { id, receipt, consumer } of declared) {
      const state = await ok(backend.getWithdrawal({ withdrawalId: id }, backendCall()));
      expect(state).toMatchObject({ erased: true, receipt: { sha256: receipt.sha256 } });
      expect(JSON.stringify(state)).not.toContain(consumer.email);
      expect(verifyReceipt(receipt.jws, jwks)).toMatchObject({ ok: true, sha256: receipt.sha256 });
    }

    const sorted = receiptTimes.toSorted((a, b) => a - b);
    const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
    process.stdout.write(`${count} receipts: median ${at(0.5)} ms, slowest ${at(1)} ms\n`);
  });
});
