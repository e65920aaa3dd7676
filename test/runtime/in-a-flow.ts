import { beforeAll, expect, it } from 'vitest';
import * as operations from '../../lib/contract/operations.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { api, type Api } from '../support/api.ts';
import { announcementOf } from '../support/attachments.ts';
import { exchangeIdIn, exchangeOf } from '../support/exchanges.ts';
import type { Fleet } from '../support/lambda-runtime/fleet.ts';
import { ownPlatform } from '../support/intent-writes.ts';
import { putIntent } from '../support/intents.ts';
import { waitingJob } from '../support/jobs.ts';
import { beginDraft, createPolicy, documentFor, publishedPolicy } from '../support/policies.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import { sample } from '../support/samples.ts';
import {
  approvedReturn,
  createReturn,
  orderPath,
  registerOrder,
  returnOf,
  shopOrder,
  importOf,
} from '../support/scenario.ts';
import { startServer } from '../support/http-server.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { createEndpoint, putSent } from '../support/webhook-endpoints.ts';

/** Runs every function of a mode in the lives of returns and policies, one after the other. */
export const inAFlow = (mode: Mode, subjects: () => { fleet: Fleet; stack: StackInfo }): void => {
  let fleet: Fleet;
  let stack: StackInfo;
  let service: Api;
  beforeAll(() => {
    ({ fleet, stack } = subjects());
    service = api(mode, { ...stack, [mode]: { url: fleet.urls.api } });
  });

  const flows: readonly { readonly flow: string; readonly run: () => Promise<void> }[] = [
    {
      flow: 'registers an order, creates and approves a return, and reads its history',
      run: async () => {
        const order = { platform: 'web', orderId: crypto.randomUUID() };
        const registered = await service.put(orderPath(order), shopOrder());
        expect(registered).toMatchObject({ status: 201, body: { ...order, version: 1 } });

        const created = await service.post('/returns', returnOf(order, 2));
        const { returnId: id } = created.body;
        expect(created).toMatchObject({
          status: 201,
          body: {
            returnId: expect.stringMatching(/^ret_/),
            status: 'requested',
            lines: [{ quantities: { requested: 2 } }],
          },
        });
        expect(created.headers.get('location')).toBe(`/v1/returns/${id}`);

        const approved = await service.post(`/returns/${id}/approve`, {}, { headers: { 'if-match': '"1"' } });
        expect(approved).toMatchObject({ status: 200, body: { returnId: id, status: 'approved' } });
        expect(approved.headers.get('etag')).toBe('"2"');

        const read = await service.get(`/returns/${id}`);
        expect(read).toMatchObject({
          status: 200,
          body: { returnId: id, status: 'approved', order, rmaNumber: expect.any(String) },
        });

        const history = await service.get(`/returns/${id}/history?limit=1`);
        expect(history).toMatchObject({ status: 200, body: { items: [{ sequence: 1, type: 'return.requested' }] } });
        const cursor = encodeURIComponent(String(history.body.nextCursor));
        const rest = await service.get(`/returns/${id}/history?cursor=${cursor}`);
        expect(rest).toMatchObject({
          status: 200,
          body: {
            items: [{ sequence: 2, type: 'return.approved', from: 'requested', to: 'approved' }],
            nextCursor: null,
          },
        });
      },
    },
    {
      flow: 'runs the other operations of a return and its order',
      run: async () => {
        const order = await registerOrder(service);
        const created = await service.post('/returns', returnOf(order, 2));
        const { returnId: id } = created.body;
        const approved = await service.post(`/returns/${id}/approve`);
        expect([created.status, approved.status]).toEqual([201, 200]);
        const came = { lineId: created.body.lines[0]?.lineId, received: 1 };
        const refund = { amount: { amount: 1, currency: 'EUR' }, occurredAt: '2026-11-20T08:00:00Z' };
        const [line] = created.body.lines;
        const exchanging = await service.post(`/returns/${id}/exchanges`, exchangeOf(line?.lineId));
        const statuses = [
          await service.put(`${orderPath(order)}/refunds/1`, refund),
          await service.get(orderPath(order)),
          await service.get(`${orderPath(order)}/returnable`),
          await service.get(`/returns?platform=web&orderId=${order.orderId}`),
          await service.get('/returns/views'),
          await service.post('/returns/find', { reference: id }, { key: null }),
          await service.post('/returns/search', { name: 'Ada' }, { key: null }),
          await service.patch(`/returns/${id}`, { tags: ['vip'] }, { headers: { 'if-match': '"3"' } }),
          exchanging,
          await service.post(`/returns/${id}/exchanges/${exchangeIdIn(exchanging)}/result`, { status: 'cancelled' }),
          await service.post(`/returns/${id}/request-info`, { message: 'worn?' }),
          await service.post(`/returns/${id}/provide-info`, { message: 'no' }),
          await service.post(`/returns/${id}/complete`),
          await service.post(`/returns/${id}/cancel`),
          await service.post(`/returns/${id}/expire`),
          await service.post(`/returns/${id}/reopen`, { reason: 'mistaken' }),
          await service.post(`/returns/${id}/corrections`, { reason: 'miscounted', lines: [came] }),
          await service.post(`/returns/${id}/notes`, { text: 'friendly' }),
          await service.post(`/returns/${id}/reject`, { code: 'final_sale' }),
          await service.get(`/returns/${id}/history/verification`),
          await service.post(`/returns/${id}/attachments`, announcementOf(Buffer.from('a picture'))),
          await service.post(`/returns/${id}/refunds`),
          await service.post(`/returns/${id}/refunds/rfd_00000000000000000000000000/result`, { status: 'submitted' }),
          await service.post(`/returns/${id}/fees/restocking/waive`, { reason: 'goodwill' }),
          await service.post(`/returns/${id}/recoveries`, { amount: { amount: 1, currency: 'EUR' } }),
          await service.post(`/returns/${id}/recoveries/write-off`, { reason: 'goodwill' }),
          await service.post('/quotes', { returnId: id }),
          await service.get('/reasons'),
          await service.put(`/reasons/${ownCode()}`, reasonFacts, { headers: { 'if-none-match': '*' } }),
          await service.post(`/returns/${id}/refund-reminders`),
          await service.get('/events?limit=1'),
          await service.get('/summary'),
          await service.get('/analytics?groupBy=sku'),
          await service.get('/inbox/deliveries'),
          await service.get('/inbox/deliveries/bm9ib2R5'),
          await service.post('/inbox/deliveries/bm9ib2R5/replay'),
          await service.post('/inbox/replays', {
            receivedFrom: '2026-01-01T00:00:00Z',
            receivedTo: '2026-01-02T00:00:00Z',
          }),
          await service.post('/inbox/redrive'),
          await service.get('/dead-letters'),
          await service.post('/dead-letters/inbox/redrives'),
          await service.get('/health'),
          await service.get('/jobs'),
          await service.get('/asyncapi.json'),
          await service.get('/openapi.json'),
          await service.post(`/returns/${id}/amendment`, { raise: [{ lineId: line?.lineId, quantity: 1 }] }),
          await service.post(`/returns/${id}/compensations`, {
            type: 'price_reduction',
            lineId: line?.lineId,
            amount: { amount: 1, currency: 'EUR' },
            reason: 'goodwill',
          }),
          await service.post(`/returns/${id}/assignee`, { userId: null }),
          await service.get('/users'),
          await service.get(`/events/${id}/1/message`),
          await service.put(`/imports/loop/returns/${order.orderId}`, importOf()),
        ].map(({ status }) => status);
        expect(statuses).toEqual([
          201, 200, 200, 200, 200, 200, 200, 200, 200, 200, 409, 409, 409, 200, 409, 200, 200, 200, 409, 200, 201, 409,
          404, 422, 409, 409, 200, 200, 201, 200, 200, 200, 200, 200, 404, 404, 200, 200, 200, 200, 200, 200, 200, 200,
          200, 200, 200, 200, 404, 201,
        ]);
      },
    },
    {
      flow: 'moves goods from the parcel to a grant',
      run: async () => {
        const goods = await approvedReturn(service, 2);
        const one = { lineId: goods.lineId, quantity: 1 };
        const packed = await service.post(`${goods.path}/parcels`, { contents: [one] });
        const parcelId = packed.body.parcels[0]?.parcelId;
        const ifMatch = { headers: { 'if-match': packed.headers.get('etag') ?? '' } };
        const whole = await approvedReturn(service, 1);
        const moved = [
          await service.post(`${whole.path}/receipts/refund`),
          await service.patch(`${goods.path}/parcels/${parcelId}`, { status: 'in_transit' }, ifMatch),
          await service.post(`${goods.path}/receipts`, { parcelId }),
          await service.post(`${goods.path}/receipts/close`),
          await service.post(`${goods.path}/inspections`, { lines: [{ ...one, outcome: 'accept' }] }),
          await service.post(`${goods.path}/grants`, { lines: [{ ...one, of: 'missing' }], reason: 'goodwill' }),
        ].map(({ status }) => status);
        expect(moved).toEqual([200, 200, 200, 200, 200, 200]);
      },
    },
    {
      flow: 'moves a policy from the draft to the archive',
      run: async () => {
        const { path } = await createPolicy(service);
        const statuses = [
          await service.post(`${path}/draft/lint`),
          await service.post(`${path}/draft/test`),
          await service.post(`${path}/publish`),
          await service.put(`${path}/draft`, { copyOf: 1 }, beginDraft),
          await service.get(`${path}/diff?from=1&to=2`),
          await service.get(`${path}/versions/2`),
          await service.get(`${path}/versions`),
          await service.get(path),
          await service.get('/policies?limit=1'),
          await service.get('/policies/text?country=PT'),
          await service.post(`${path}/archive`),
        ].map(({ status }) => status);
        expect(statuses).toEqual([200, 200, 200, 201, 200, 200, 200, 200, 200, 200, 200]);
      },
    },
    {
      flow: 'decides by a policy, and reads the decision',
      run: async () => {
        const seller = crypto.randomUUID();
        await publishedPolicy(service, documentFor(seller));
        const { body } = await service.post('/returns', returnOf(await registerOrder(service, { seller })));
        const { decision } = body as unknown as { decision?: { decisionId: string } };
        expect(await service.get(`/decisions/${decision?.decisionId}`)).toMatchObject({
          status: 200,
          body: { returnId: body.returnId, reproduced: true },
        });
      },
    },
    {
      flow: 'compares a draft with earlier decisions',
      run: async () => {
        const { path } = await createPolicy(service);
        expect(await service.post(`${path}/draft/shadow`, { enabled: true })).toMatchObject({ status: 200 });
        const { status, headers } = await service.post(`${path}/draft/backtest`, { until: '2020-01-01T00:00:00Z' });
        expect(status).toBe(201);
        expect(await service.get(headers.get('location')?.replace('/v1', '') ?? '')).toMatchObject({
          status: 200,
          body: { status: 'done' },
        });
        const id = await waitingJob(stack);
        expect(await service.post(`/jobs/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      },
    },
    {
      flow: 'sends events to an endpoint, and reads their deliveries',
      run: async () => {
        await using receiver = await startServer(async () => ({ status: 204, body: '' }));
        await using created = await createEndpoint(service, { url: `${receiver.origin}/hooks` });
        const { path, endpoint } = created;
        const tested = await service.post(`${path}/test`, undefined, { key: null });
        expect(tested).toMatchObject({ status: 200, body: { delivered: true, attempt: { status: 204 } } });
        const { eventId } = await putSent(stack, endpoint.endpointId);
        const range = { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };
        const statuses = [
          await service.get('/webhook-endpoints'),
          await service.get(path),
          await service.patch(path, { description: 'The shop' }, { headers: { 'if-match': '"1"' } }),
          await service.post(`${path}/secret`),
          await service.get(`${path}/deliveries`),
          await service.get(`${path}/deliveries/${eventId}`),
          await service.post(`${path}/deliveries/${eventId}/redeliver`),
          await service.post(`${path}/redeliveries`, range),
          await service.delete(path),
        ].map(({ status }) => status);
        expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200]);
      },
    },
    {
      flow: 'stores, matches and ends declarations of withdrawal',
      run: async () => {
        const declare = async () => {
          const content = { name: 'Ada', email: 'ada@example.com', contract: crypto.randomUUID() };
          const declared = await service.post('/withdrawals', content);
          expect(declared.status).toBe(201);
          return `/withdrawals/${(declared.body as unknown as { withdrawalId: string }).withdrawalId}`;
        };
        const path = await declare();
        // No law grants a right there, so the answer is left to staff.
        const order = await registerOrder(service, { country: 'US' });
        const sent = { sentAt: new Date().toISOString(), channel: 'email' };
        const given = { answer: 'no_right', rule: 'none', source: 'terms, section 4' };
        const statuses = [
          await service.get('/withdrawals?limit=1'),
          await service.get(path),
          await service.get(`${path}/receipt`),
          await service.post(`${path}/receipt/sent`, sent),
          await service.post(`${path}/match`, { order }),
          await service.post(`${path}/answer`, given),
          await service.post(`${await declare()}/withdraw`, { reason: 'mistake' }),
          await service.get(`${path}/history`),
          await service.get(`${path}/history/verification`),
        ].map(({ status }) => status);
        expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200]);
      },
    },
    {
      flow: 'sets what a shop may be asked to do, and handles parked intents',
      run: async () => {
        const shop = `/write-back/shops/${ownPlatform()}`;
        const [first, second] = [await putIntent(stack), await putIntent(stack)];
        const setting = { actions: { approve: 'shadow' } };
        const statuses = [
          await service.put(shop, setting, { headers: { 'if-none-match': '*' } }),
          await service.get(shop),
          await service.get(`${shop}/report`),
          await service.get('/write-back/intents?status=parked'),
          await service.get(`/write-back/intents/${first.id}`),
          await service.post(`/write-back/intents/${first.id}/resolution`, { outcome: 'not_done' }),
          await service.post(`/write-back/intents/${second.id}/retry`),
        ].map(({ status }) => status);
        expect(statuses).toEqual([201, 200, 200, 200, 200, 200, 200]);
      },
    },
    {
      flow: 'runs a command on many returns',
      run: async () => {
        const items = [{ returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' }];
        const started = await service.post('/bulk-commands', { command: 'approve', items });
        expect(started.status).toBe(201);
        const path = started.headers.get('location')?.replace('/v1', '') ?? '';
        expect(await service.get(path)).toMatchObject({ status: 200, body: { kind: 'bulk' } });
        // A worker may have ended the job.
        expect([200, 409]).toContain((await service.post(`${path}/cancel`)).status);
      },
    },
    {
      flow: 'exports returns, and erases a customer',
      run: async () => {
        const created = [
          await service.post('/exports', { format: 'ndjson', until: '2020-01-01T00:00:00Z' }),
          await service.post('/erasures', { platform: 'web', customerId: crypto.randomUUID() }),
        ].map(({ status, body }) => [status, (body as unknown as { kind: string }).kind]);
        expect(created).toEqual([
          [201, 'export'],
          [201, 'erasure'],
        ]);
      },
    },
  ];

  // The stack runs every function in its own process. The first flow shows the same for the real runtime.
  const chosen = sample(flows, flows.length);
  it.each(chosen)('runs the flow: $flow', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it('rejects with the same problem as other modes', async () => {
    const order = await registerOrder(service);
    expect(await service.post('/returns', returnOf(order, 4))).toMatchObject({
      status: 422,
      body: { code: 'quantity_exceeds_returnable', errors: [{ path: '/lines/0/quantity' }] },
    });
    expect(await service.post('/returns', returnOf(order), { key: null })).toMatchObject({
      status: 400,
      body: { code: 'idempotency_key_required' },
    });
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/approve`);
    expect(await service.post(`/returns/${id}/approve`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await service.get('/returns/ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB')).toMatchObject({
      status: 404,
      body: { code: 'return_not_found' },
    });
  });

  it('repeats the first response for a repeated key', async () => {
    const request = returnOf(await registerOrder(service));
    const key = crypto.randomUUID();
    const first = await service.post('/returns', request, { key });
    const again = await service.post('/returns', request, { key });
    expect(again).toMatchObject({ status: 201, body: { returnId: first.body.returnId } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it.each(chosen.length === flows.length ? [Object.keys(operations)] : [])('runs every function', (...names) => {
    const functions = new Set<string>(fleet.invocations.map((one) => one.function));
    expect(names.filter((name) => !functions.has(name))).toEqual([]);
  });

  it('leaves nothing behind', () => {
    expect(fleet.invocations.length).toBeGreaterThan(10);
    expect(fleet.invocations.filter(({ left }) => left.length > 0)).toEqual([]);
    // A check that counts no request could not find a pending one. Only documents need no dependency. The events
    // document is the Returns Service's own, so the connected mode requests it.
    const silent = fleet.invocations.filter(({ requests }) => requests === 0).map((one) => one.function);
    const ran = new Set<string>(fleet.invocations.map((one) => one.function));
    const documents = mode === 'standalone' ? ['asyncapi', 'openapi'] : ['openapi'];
    expect(silent).toEqual(documents.filter((name) => ran.has(name)));
  });
};
