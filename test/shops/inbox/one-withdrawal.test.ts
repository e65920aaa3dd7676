import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import * as standalone from '../../../lib/edge/backend/standalone.ts';
import { backend } from '../../../lib/shops/inbox/backend.ts';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import type { OrderFacts, RemoteSnapshot, RemoteWithdrawal } from '../../../lib/shops/platforms/platform.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { runsEveryCase, inSoak } from '../../support/samples.ts';
import { openSigningSecret } from '../../support/signing-secret.ts';
import { ampleDeadline } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { platformWith } from './support.ts';

/* Repeated, reordered and concurrent deliveries of withdrawals, against the standalone mode. */

const engines = await startEngines();
const signing = await openSigningSecret();
setEnvironment({ RETURN_TERMS: '{}' });
signing.use();
afterAll(async () => {
  await signing[Symbol.asyncDispose]();
  await engines.stop();
});

/** What a shop shows of an order at a delivery: its units, and the time of its withdrawal if its note is readable. */
type Sighting = { readonly order: number; readonly covers: 'whole' | 'line' | 'unknown'; readonly minute: number };
/** Sightings that workers process at the same time. */
type Batch = readonly Sighting[];

const sightings = fc.record({
  order: fc.integer({ min: 0, max: 2 }),
  covers: fc.constantFrom('whole' as const, 'line' as const, 'unknown' as const),
  minute: fc.integer({ min: 0, max: 59 }),
});
const histories: fc.Arbitrary<readonly Batch[]> = fc.array(fc.array(sightings, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 6,
});

const declaredAt = (minute: number): string => new Date(Date.UTC(2026, 10, 2, 8, minute)).toISOString();
const coverage = { whole: 'whole_order', line: [{ orderLineId: '1', quantity: 1 }], unknown: undefined } as const;

const snapshotOf = (platform: string, { order, covers, minute }: Sighting): RemoteSnapshot => {
  const unitPrice = { amount: 1000, currency: 'EUR' };
  const facts: OrderFacts = {
    platform,
    orderId: `O-${order}`,
    currency: 'EUR',
    observedAt: new Date().toISOString(),
    lines: [{ lineId: '1', quantity: 2, fulfilledQuantity: 0, unitPrice }],
  };
  const withdrawal: RemoteWithdrawal = {
    declaration: {
      name: 'Ada',
      email: `ada-${order}@example.com`,
      contract: `${platform} ${order}`,
      // A note that is read later changes the words too.
      ...(covers !== 'whole' && { lines: covers }),
      platform,
      declaredAt: declaredAt(minute),
      source: { platform, externalId: `order-${order}` },
    },
    ...(coverage[covers] !== undefined && { covers: coverage[covers] }),
  };
  return { kind: 'snapshot', order: facts, returns: [], refunds: [], withdrawals: [withdrawal] };
};

let deliveries = 0;
/** Processes a delivery until it is settled, as the queue does. */
const deliver = async (platform: string, sighting: Sighting): Promise<void> => {
  const deliveryId = String((deliveries += 1));
  const head = { platform: 'acme', source: 'shop', deliveryId, topic: 'order.changed', bodyHash: '', traceId: 'trace' };
  const state = { receivedAt: new Date().toISOString(), status: 'received' as const, attempts: 0, expiresAt: 0 };
  const row: InboxRow = { ...head, ...state, body: gzipSync('{}') };
  const translator = platformWith({ prepare: async () => snapshotOf(platform, sighting) });
  for (let tries = 1; tries <= 20; tries += 1) {
    const outcome = await runDelivery(backend, translator, row, deliveryId, ampleDeadline());
    if (outcome.status === 'retry') continue;
    expect(outcome).toMatchObject({ status: 'done' });
    return;
  }
  throw new Error('the delivery was never settled');
};

/** Returns the withdrawals of a platform. */
const stored = async (platform: string) => {
  const found = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await standalone.listWithdrawals(
      { limit: 100, ...(cursor !== undefined && { cursor }) },
      backendCall(),
    );
    if (!page.ok) throw new Error(page.failure.code);
    found.push(...page.value.body.items.filter((item) => item.platform === platform));
    cursor = page.value.body.nextCursor;
  }
  return Promise.all(
    found.map(async ({ withdrawalId }) => {
      const read = await standalone.getWithdrawal({ withdrawalId }, backendCall());
      if (!read.ok) throw new Error(read.failure.code);
      return read.value.body;
    }),
  );
};

let platforms = 0;

describe('withdrawals of a platform', () => {
  test.each(inSoak('are one for each order, however often and in whatever order deliveries report them'))(
    '%s',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const platform = `shop${(platforms += 1)}`;
          for (const batch of history) await Promise.all(batch.map(async (one) => deliver(platform, one)));
          const reported = Map.groupBy(history.flat(), ({ order }) => order);
          const withdrawals = await stored(platform);
          expect(withdrawals.map(({ source }) => String(source?.externalId)).toSorted()).toEqual(
            [...reported.keys()].map((order) => `order-${order}`).toSorted(),
          );
          for (const { source, status, declaredAt: at, match } of withdrawals) {
            const seen = reported.get(Number(source?.externalId.at(-1))) ?? [];
            expect(seen.map(({ minute }) => declaredAt(minute))).toContain(at);
            const isMatched = seen.some(({ covers }) => covers !== 'unknown');
            expect([status, match?.order]).toEqual(
              isMatched
                ? ['matched', { platform, orderId: `O-${source?.externalId.at(-1)}` }]
                : ['declared', undefined],
            );
          }
        }),
        { numRuns: runsEveryCase() ? 60 : 6 },
      );
    },
  );

  test('that a consumer has also declared elsewhere are one', async () => {
    const platform = `shop${(platforms += 1)}-${randomUUID().slice(0, 8)}`;
    const sighting = { order: 1, covers: 'whole', minute: 5 } as const;
    const [own] = snapshotOf(platform, sighting).withdrawals ?? [];
    const { source: _, declaredAt: __, ...content } = own?.declaration ?? { source: '', declaredAt: '' };
    const page = await standalone.declareWithdrawal(content as Parameters<typeof standalone.declareWithdrawal>[0], {
      ...backendCall(),
    });
    if (!page.ok) throw new Error(page.failure.code);
    await deliver(platform, sighting);
    expect(await stored(platform)).toMatchObject([{ withdrawalId: page.value.body.withdrawalId, status: 'matched' }]);
  });
});
