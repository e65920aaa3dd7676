import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WantedLine } from '../../../../lib/shops/platforms/effect.ts';
import type { Node } from '../../../../lib/tools/local/shops/medusa/order-changes.ts';
import type { RefundFault } from '../../../../lib/tools/local/shops/medusa/shop.ts';
import { runs } from '../../../support/samples.ts';
import { type Outcome, wordOf } from './drive-intent.ts';
import { accepted, mug, openMedusaCase, shirt } from './medusa-case.ts';
import { wireFaults } from './wire-faults.ts';
import { wantedLine } from './wanted.ts';

const { shop, server, reset, run, intent, refundIntent, returns, openChanges, paidFor } = await openMedusaCase();

const wireFault = fc.option(fc.constantFrom(...wireFaults), { nil: undefined });

/** The life of one return: what is wrong with the requests of its four intents, and inside the shop. */
const life = fc.record({
  line: fc.constantFrom({ id: shirt, price: 1990 }, { id: mug, price: 550 }),
  good: fc.nat({ max: 1 }),
  damaged: fc.nat({ max: 1 }),
  end: fc.constantFrom('refund', 'cancel'),
  wire: fc.array(wireFault, { maxLength: 12 }),
  inside: fc.option(fc.constantFrom<RefundFault>('provider_rejected', 'died_before_payment', 'died_after_payment'), {
    nil: undefined,
    freq: 4,
  }),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

/** What the shop does not show after a refund without an answer, so that people must look. */
const ambiguous = ['effect_unknown', 'refund_unpaid'];

const found = ({ good, damaged }: Life): WantedLine['found'] =>
  [accepted(good), accepted(damaged, 'quarantine')].filter(({ quantity }) => quantity > 0);

/** Runs an intent, and again if it is confirmed: the outcome stays. */
const runTwice = async (wanted: Parameters<typeof run>[0]): Promise<Outcome> => {
  const outcome = await run(wanted);
  if (outcome.kind === 'parked') return outcome;
  const again = await run(wanted);
  if (again.kind === 'parked') return again;
  return outcome;
};

const refunded = async (given: Life): Promise<readonly string[]> => {
  const units = given.good + given.damaged;
  const refund = refundIntent([{ orderLineId: given.line.id, quantity: units, gross: units * given.line.price }]);
  shop.failRefund(given.inside);
  const word = wordOf(await runTwice(refund));
  server.carryOutLate();
  const payments = paidFor(refund).length;
  const allowed = payments === 1 ? ['confirmed', ...ambiguous] : [...ambiguous, 'shop_status_400'];
  return [
    ...(payments > 1 ? [`${payments} payments`] : []),
    ...(allowed.includes(word) ? [] : [`${word} after ${payments} payments`]),
    ...(payments === 0 && given.wire.length === 0 && given.inside === undefined ? ['not paid without a fault'] : []),
  ];
};

/** Returns what is wrong with the shop after a life. */
const live = async (given: Life): Promise<readonly string[]> => {
  const line = { quantity: 2, received: given.good + given.damaged, found: found(given) };
  server.faults.push(...given.wire);
  const before = returns().length;
  const approval = await runTwice(intent('approve', [wantedLine(given.line.id, line)]));
  const created = returns().slice(before);
  if (approval.kind === 'parked')
    return approval.reason === 'units_not_returnable' ? [] : [`approval ${approval.reason}`];
  const [node] = created;
  if (approval.kind !== 'confirmed') return [`approval ${approval.kind}`];
  const { externalId = '' } = approval;
  if (created.length !== 1 || node?.['id'] !== externalId) return [`${created.length} returns`];
  if (given.end === 'cancel') {
    const word = wordOf(await runTwice(intent('cancel', [], { externalId })));
    return word === 'confirmed' && node['status'] === 'canceled' ? [] : [`cancellation ${word}`];
  }
  const word = wordOf(await runTwice(intent('inspect', [wantedLine(given.line.id, line)], { externalId })));
  const [item] = node['items'] as Node[];
  const isReceived = item?.['received_quantity'] === line.received && item['damaged_quantity'] === given.damaged;
  if (word !== 'confirmed' || !isReceived) return [`receipt ${word}`];
  return line.received === 0 ? [] : refunded(given);
};

describe('Medusa with random lives and faults', () => {
  it('has one return, one receipt and at most one payment of each', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 2 }), async (lives) => {
        reset();
        for (const given of lives) {
          server.faults.clear();
          shop.failRefund(undefined);
          expect(await live(given)).toEqual([]);
          server.carryOutLate();
          expect(openChanges()).toEqual([]);
        }
      }),
      { numRuns: runs(120, 4) },
    );
    expect(shop.paid.length).toBeGreaterThan(0);
  });
});
