import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import { runs } from '../../../support/samples.ts';
import { type Outcome, wordOf } from './drive-intent.ts';
import { openWooCommerce, siteCases, wireCases, woocommerceOrder } from './woocommerce-case.ts';
import { keyOf, wanted, wantedReturn } from './wanted.ts';

const { site, server, run, refundIntent, paidFor, next, notesOf } = await openWooCommerce();

/** Without those that take time: a time-out, and the wait after 429. */
const isSlow = (fault: WireFault): boolean => fault === 'silent' || (typeof fault === 'object' && fault.status === 429);
const wireFaults = [undefined, ...wireCases.map(([fault]) => fault).filter((fault) => !isSlow(fault))];
const siteFaults = [undefined, ...siteCases.map(([fault]) => fault)];

const command = fc.record({
  action: fc.constantFrom(...(['refund', 'refund', 'approve', 'reject', 'cancel', 'close'] as const)),
  line: fc.constantFrom(
    { orderLineId: '311', quantity: 1, gross: 1190 },
    { orderLineId: '313', quantity: 1, gross: 535 },
  ),
  wire: fc.constantFrom(...wireFaults),
  inside: fc.constantFrom(...siteFaults),
  repeats: fc.nat({ max: 2 }),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** The reasons for people, because the site does not show whether it has paid. */
const ambiguous = ['effect_unknown', 'refund_unpaid'];
/** What an order without faults rejects, because earlier commands have refunded it. */
const impossible = ['units_refunded', 'exceeds_payment', 'refund_exists'];
const rejected = ['shop_status_400'];

/** Returns the outcomes that a refund may have. */
const allowedFor = ({ wire, inside }: Command, payments: number): readonly string[] => {
  const isFaulty = wire !== undefined || inside !== undefined;
  return [...(payments === 1 ? ['confirmed'] : impossible), ...(isFaulty ? [...ambiguous, ...rejected] : [])];
};

const refund = async (given: Command): Promise<void> => {
  const number = next();
  const intent = refundIntent(number, [given.line]);
  server.faults.push(given.wire);
  site.failRefund(given.inside);
  const outcome = await run(intent);
  server.faults.clear();
  server.carryOutLate();
  site.failRefund(undefined);
  const payments = paidFor(number).length;
  expect(payments).toBeLessThanOrEqual(1);
  expect(allowedFor(given, payments)).toContain(wordOf(outcome));
  await repeat(given, () => run(intent), outcome);
  expect(paidFor(number)).toHaveLength(payments);
};

const decide = async (action: Exclude<Command['action'], 'refund'>, given: Command): Promise<void> => {
  const number = next();
  const intent = wanted(action, '723', { number, return: wantedReturn([]) });
  server.faults.push(given.wire);
  const outcome = await run(intent);
  server.faults.clear();
  server.carryOutLate();
  expect(['confirmed', ...rejected]).toContain(wordOf(outcome));
  await repeat(given, () => run(intent), outcome);
  const notes = notesOf().filter((note) => note.includes(keyOf(number)));
  expect(notes).toHaveLength(outcome.kind === 'confirmed' ? 1 : 0);
};

/** Runs a confirmed intent again: the outcome stays. */
const repeat = async ({ repeats }: Command, again: () => Promise<Outcome>, outcome: Outcome): Promise<void> => {
  for (let count = 0; count < repeats && outcome.kind === 'confirmed'; count += 1)
    expect(await again()).toEqual(outcome);
};

describe('WooCommerce with random commands and faults', () => {
  it('pays each refund at most once, and writes each note once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 6 }), async (commands) => {
        site.put(woocommerceOrder(723));
        site.notes.clear();
        for (const given of commands) await (given.action === 'refund' ? refund(given) : decide(given.action, given));
      }),
      { numRuns: runs(160, 4) },
    );
    expect(site.payments.length).toBeGreaterThan(0);
  });
});
