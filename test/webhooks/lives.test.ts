import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Move } from '../../lib/tools/local/shop/returns.ts';
import { api } from '../support/api.ts';
import { sharedStack } from '../support/own-stack.ts';
import { inSoak, runsEveryCase, sample } from '../support/samples.ts';
import { hooksOf, type Signed } from './support.ts';

const stack = await sharedStack();

/** Orders that no test has used, by whether at least two units of their first line were shipped. */
const { one = [], more = [] } = Object.groupBy(stack.shop.sell(40), (id) =>
  (stack.shop.order(id).lines[0]?.quantity ?? 0) > 1 ? 'more' : 'one',
);
const orders = { one, more };

const freshOrder = (units: keyof typeof orders = 'one'): string => {
  const order = orders[units].shift();
  if (order === undefined) throw new Error('the shop has no more such orders');
  return order;
};

/** Returns a copy of a delivery. It has another id where the same body may report another event. */
const copyOf = ({ headers, body }: Signed): Signed => {
  const isOnce = ['returns/request', 'refunds/create'].includes(headers['x-shopify-topic'] ?? '');
  return { headers: isOnce ? headers : { ...headers, 'x-shopify-webhook-id': randomUUID() }, body };
};

// The standalone mode is the service that the connected mode calls.
describe.each(sample(['connected', 'standalone'] as const, 2))(
  'deliveries of a Shopify shop in the %s mode',
  (mode) => {
    const hear = async (delivery: Signed) => {
      const hooks = hooksOf(stack, mode);
      expect(await hooks.deliver(delivery)).toEqual({ status: 200, text: '' });
      const [row] = await hooks.settled(delivery.headers['x-shopify-webhook-id']);
      return row;
    };
    const service = () => api('standalone', stack.info);
    const read = async (returnId: unknown) =>
      (await service().get(`/returns/${String(returnId)}`)).body as unknown as Output<'getReturn'>;
    /** The final facts of a return. */
    const outcomeOf = ({ status, lines, refunds, parcels }: Output<'getReturn'>) => ({
      status,
      quantities: lines.map(({ quantities }) => quantities),
      refunds: refunds.map(({ external, amount }) => [external?.externalId, amount.amount]),
      parcels: parcels.map(({ trackingNumber }) => trackingNumber),
    });
    const heard = async (delivery: Signed) => {
      const row = await hear(delivery);
      expect(row).toMatchObject({ status: 'done', returnId: expect.stringMatching(/^ret_/) });
      return read(row?.['returnId']);
    };

    it('syncs a return from the request to its end', async () => {
      const order = freshOrder('more');
      const request = stack.shop.webhook(order, { quantity: 2 });
      const { returnGid } = request;
      const move = async (what: Move) => heard(stack.shop.move(returnGid, what));
      expect(await heard(request)).toMatchObject({ status: 'requested' });
      expect(await move({ do: 'approve' })).toMatchObject({
        status: 'approved',
        lines: [{ quantities: { approved: 2 } }],
      });
      expect(await move({ do: 'attach', number: 'JD0001' })).toMatchObject({
        parcels: [{ carrier: 'DHL', trackingNumber: 'JD0001', contents: [{ quantity: 2 }] }],
      });
      expect(await move({ do: 'dispose', type: 'RESTOCKED', quantity: 1 })).toMatchObject({
        status: 'partially_received',
        lines: [{ quantities: { received: 1, accepted: 1 } }],
      });
      expect(await move({ do: 'dispose', type: 'MISSING', quantity: 1 })).toMatchObject({ status: 'inspected' });
      expect(await heard(stack.shop.refund(order, returnGid, { amount: '10.00', subtotal: '10.00' }))).toMatchObject({
        refunds: [{ amount: { amount: expect.any(Number) }, status: 'succeeded' }],
      });
      expect(await move({ do: 'close' })).toMatchObject({ status: 'completed' });
      expect(await move({ do: 'reopen' })).toMatchObject({ status: 'inspected' });
      // The same few bytes as before.
      expect(await move({ do: 'close' })).toMatchObject({
        status: 'completed',
        lines: [{ quantities: { approved: 2, received: 1, missing: 1, accepted: 1 } }],
      });
    });

    it('Shopify/shopify-app-js#603: reaches the same state when deliveries arrive in any order, late or twice', async () => {
      const reopened: readonly Move[] = [
        { do: 'dispose', type: 'PROCESSING_REQUIRED', quantity: 2 },
        { do: 'close' },
        { do: 'reopen' },
      ];
      const moves: readonly Move[] = [
        { do: 'approve' },
        { do: 'attach', number: `T-${randomUUID()}` },
        ...(runsEveryCase() ? reopened : []),
        { do: 'dispose', type: 'RESTOCKED', quantity: 2 },
        { do: 'close' },
      ];
      // Each delivery arrives after this many further moves in the shop.
      const delays = fc.array(fc.nat({ max: moves.length }), {
        minLength: moves.length + 2,
        maxLength: moves.length + 2,
      });
      const twice = fc.array(fc.boolean(), { minLength: moves.length + 2, maxLength: moves.length + 2 });
      await fc.assert(
        fc.asyncProperty(delays, twice, async (late, again) => {
          const order = freshOrder('more');
          const request = stack.shop.webhook(order, { quantity: 2 });
          const { returnGid } = request;
          const happened: Signed[] = [];
          const due = (moment: number) =>
            happened.flatMap((delivery, index) => {
              const at = Math.min(index + (late[index] ?? 0), moves.length + 1);
              if (at !== moment) return [];
              return again[index] === true ? [delivery, copyOf(delivery)] : [delivery];
            });
          const makers = [
            () => request,
            ...moves.map((what) => () => stack.shop.move(returnGid, what)),
            () => stack.shop.refund(order, returnGid, { amount: '10.00', subtotal: '10.00', quantity: 2 }),
          ];
          for (const [moment, make] of makers.entries()) {
            happened.push(make());
            // The last move arrives first.
            for (const delivery of due(moment).toReversed()) await hear(delivery);
          }
          const row = await hear(stack.shop.move(returnGid, { do: 'close' }));
          const one = outcomeOf(await read(row?.['returnId']));
          expect(one).toMatchObject({
            status: 'completed',
            quantities: [{ approved: 2, received: 2, accepted: 2, missing: 0, refunded: 2 }],
          });
          expect(one.refunds).toHaveLength(1);
        }),
        { numRuns: sample([1, 2], 2).length },
      );
    });

    it('syncs a return that staff made without a request delivery', async () => {
      const returnGid = stack.shop.makeReturn(freshOrder('more'), { quantity: 2 });
      expect(
        await heard(stack.shop.move(returnGid, { do: 'dispose', type: 'NOT_RESTOCKED', quantity: 1 })),
      ).toMatchObject({
        status: 'partially_received',
        initiatedBy: 'agent',
        lines: [{ inspections: [{ outcome: 'accept', disposition: 'quarantine', quantity: 1 }] }],
      });
      expect(await heard(stack.shop.move(returnGid, { do: 'remove', quantity: 1 }))).toMatchObject({
        status: 'inspected',
        lines: [{ quantities: { approved: 2, cancelled: 1, received: 1 } }],
      });
    });

    it('creates the return of a refund that arrives first, and books money without a return', async () => {
      const order = freshOrder();
      const returnGid = stack.shop.makeReturn(order, { quantity: 1 });
      const refund = stack.shop.refund(order, returnGid, { amount: '10.00', subtotal: '10.00' });
      expect(await heard(refund)).toMatchObject({ status: 'approved', refunds: [{ status: 'succeeded' }] });
      const row = await hear(stack.shop.refund(order, null, { amount: '1.00', quantity: 0 }));
      expect(row).toMatchObject({ status: 'done' });
      expect(row).not.toHaveProperty('returnId');
      const unpaid = await hear(stack.shop.refund(order, null, { amount: null }));
      expect(unpaid).toMatchObject({ status: 'ignored', reason: 'nothing_refunded' });
    });

    // platforms/api/shopify.test.ts reads each of these states.
    it.each(inSoak('creates the final state of a return that was cancelled or declined before its first delivery'))(
      '%s',
      async () => {
        const cancelled = stack.shop.webhook(freshOrder(), { quantity: 1 }).returnGid;
        expect(await heard(stack.shop.move(cancelled, { do: 'cancel' }))).toMatchObject({ status: 'cancelled' });
        const declined = stack.shop.webhook(freshOrder(), { quantity: 1 }).returnGid;
        const delivery = stack.shop.move(declined, { do: 'decline', reason: 'RETURN_PERIOD_ENDED', note: 'too late' });
        expect(await heard(delivery)).toMatchObject({
          status: 'rejected',
          rejection: { code: 'window_expired', note: 'too late' },
        });
      },
    );

    it.each(inSoak('cancels a return when the shop has removed every unit'))('%s', async () => {
      const request = stack.shop.webhook(freshOrder(), { quantity: 1 });
      await heard(request);
      await heard(stack.shop.move(request.returnGid, { do: 'approve' }));
      expect(await heard(stack.shop.move(request.returnGid, { do: 'remove', quantity: 1 }))).toMatchObject({
        status: 'cancelled',
        lines: [{ quantities: { approved: 1, cancelled: 1 } }],
      });
    });

    it('owes nothing while the shop exchanges units', async () => {
      const order = freshOrder();
      const request = stack.shop.webhook(order, { quantity: 1 });
      const { returnGid } = request;
      await hear(request);
      await heard(stack.shop.move(returnGid, { do: 'approve' }));
      const exchanged = await heard(stack.shop.move(returnGid, { do: 'exchange', quantity: 1, sku: 'SHIRT-M' }));
      expect(exchanged).toMatchObject({
        // The shop shows no line, so neither SKU nor price.
        shopExchanges: [{ quantity: 1 }],
        discrepancies: expect.arrayContaining([expect.objectContaining({ code: 'exchanged_at_shop' })]),
      });
      const received = await heard(stack.shop.move(returnGid, { do: 'dispose', type: 'RESTOCKED', quantity: 1 }));
      expect(received.deadlines).not.toHaveProperty('refundDueBy');
      const { body } = await service().post('/quotes', { returnId: received.returnId });
      expect(body).toMatchObject({ total: { amount: 0 }, blockedBy: 'exchanged_at_shop' });
    });

    it.each(inSoak('creates no return for one that was emptied before its first delivery'))('%s', async () => {
      const { returnGid } = stack.shop.webhook(freshOrder(), { quantity: 1 });
      const row = await hear(stack.shop.move(returnGid, { do: 'remove', quantity: 1 }));
      expect(row).toMatchObject({ status: 'done' });
      expect(row).not.toHaveProperty('returnId');
    });

    it.each(inSoak('ignores the documented body of returns/process'))('%s', async () => {
      const { returnGid } = stack.shop.webhook(freshOrder(), { quantity: 1 });
      const row = await hear(stack.shop.move(returnGid, { do: 'process' }));
      expect(row).toMatchObject({ status: 'ignored', reason: 'nothing_named' });
    });
  },
);
