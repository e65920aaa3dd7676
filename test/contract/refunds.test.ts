import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Of } from '../../lib/domain/returns/history/canonical-json.ts';
import { type Answer, type Api } from '../support/api.ts';
import { contractApi, contractModes, contractWithTerms } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { approvedReturnOf, createReturn, orderPath, returnOf, shirts } from '../support/scenario.ts';

const hat = { orderLineId: '12', quantity: 1, reason: { code: 'fit.other' } };

const contract = contractWithTerms({ refundTiming: 'approved', refundApprovalLimit: { EUR: 2500 } });

describe.each(contractModes(import.meta.filename))('%s refund', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  const shirtsBack = async (quantity = 2, facts: object = {}) =>
    approvedReturnOf(service, (order) => returnOf(order, quantity), facts);
  const book = async (id: string, body: object = {}, options: Parameters<Api['post']>[2] = {}) =>
    service.post(`/returns/${id}/refunds`, body, options);
  const report = async (id: string, refundId: string | undefined, body: object) =>
    service.post(`/returns/${id}/refunds/${refundId}/result`, body);

  it('books the whole refundable amount, and moves no money', async () => {
    const { id, lines } = await shirtsBack();
    const { status, body } = await book(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 3,
      status: 'approved',
      refundStatus: 'pending',
      lines: [{ quantities: { refunded: 2 }, amounts: { refunded: eur(2000) } }],
      refunds: [
        {
          refundId: expect.stringMatching(/^rfd_/),
          returnId: id,
          method: 'original_payment',
          amount: eur(2000),
          status: 'pending',
          attempts: [],
          returnLines: [{ lineId: lines[0], quantity: 2, gross: eur(2000) }],
          breakdown: { deductions: [], shipping: eur(0), other: eur(0) },
        },
      ],
    });
    expect(body.refunds[0]).not.toHaveProperty('request');
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({ refunds: body.refunds });
    expect((await service.get(`/returns/${id}/history`)).body.items[2]).toMatchObject({
      type: 'refund.requested',
      from: 'approved',
      to: 'approved',
    });
    expect(body.allowedActions).toEqual(
      expect.arrayContaining([
        { action: 'cancel', scope: 'returns:write', allowed: false, blockedBy: 'live_refund' },
        { action: 'recordRefundResult', scope: 'returns:write', allowed: true },
        { action: 'recordRecovery', scope: 'returns:write', allowed: false, blockedBy: 'no_recovery_due' },
      ]),
    );
  });

  it('stores no digest in the history that reveals the represented person', async () => {
    const { id } = await shirtsBack();
    await book(id, {}, { headers: { 'returns-on-behalf-of': 'agent-7' } });
    const entry = (await service.get(`/returns/${id}/history`)).body.items[2] as unknown as { data: object };
    expect(entry.data).toMatchObject({ refund: { request: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) } } });
    for (const onBehalfOf of ['agent-7', 'returns-admin/agent-7'])
      expect(JSON.stringify(entry.data)).not.toContain(
        sha256Of({ operation: 'refund', input: { returnId: id }, onBehalfOf }),
      );
  });

  it('pays in parts, and no unit twice', async () => {
    const { id, lines } = await approvedReturnOf(service, (order) => returnOf(order, 1, { lines: [shirts(2), hat] }));
    const part = [{ lineId: lines[0], quantity: 1 }];
    expect((await book(id, { lines: part })).body.refunds).toMatchObject([{ amount: eur(1000) }]);
    const tooMany = [
      { lineId: lines[0], quantity: 2 },
      { lineId: lines[1], quantity: 1 },
    ];
    expect(await book(id, { lines: tooMany })).toMatchObject({
      status: 422,
      body: { code: 'refund_exceeds_ceiling', errors: [{ path: '/lines/0/quantity', message: 'must be at most 1' }] },
    });
    expect((await book(id)).body.refunds).toMatchObject([{}, { amount: eur(3000) }]);
    expect(await book(id)).toMatchObject({ status: 422, body: { code: 'refund_exceeds_ceiling' } });
  });

  it('pays the last unit to one of two concurrent requests', async () => {
    const { id } = await shirtsBack(1);
    const both = await Promise.all([book(id), book(id)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('stores each attempt with its result, up to payment and reversal', async () => {
    const { id } = await shirtsBack();
    const refundId = (await book(id)).body.refunds[0]?.refundId;
    await report(id, refundId, { status: 'submitted', providerRef: 'pay-1', occurredAt: '2026-11-20T08:00:00Z' });
    const failed = await report(id, refundId, { status: 'failed', code: 'card_closed' });
    expect(failed.body).toMatchObject({ refundStatus: 'failed', refunds: [{ status: 'failed' }] });
    const again = await report(id, refundId, { status: 'submitted', providerRef: 'pay-2' });
    expect(again.body).toMatchObject({ refundStatus: 'pending' });
    expect((await report(id, refundId, { status: 'unknown' })).body).toMatchObject({ refundStatus: 'unknown' });
    const paid = await report(id, refundId, { status: 'succeeded', occurredAt: '2026-11-21T06:00:00Z' });
    expect(paid.body).toMatchObject({
      refundStatus: 'refunded',
      refunds: [
        {
          status: 'succeeded',
          providerRef: 'pay-2',
          occurredAt: '2026-11-21T06:00:00.000Z',
          attempts: [
            {
              status: 'failed',
              submittedAt: '2026-11-20T08:00:00.000Z',
              settledAt: expect.any(String),
              providerRef: 'pay-1',
              code: 'card_closed',
            },
            { status: 'succeeded', providerRef: 'pay-2', settledAt: '2026-11-21T06:00:00.000Z' },
          ],
        },
      ],
    });
    const reported = await report(id, refundId, { status: 'succeeded' });
    expect([reported.status, reported.body.version]).toEqual([200, paid.body.version]);
    expect(await report(id, refundId, { status: 'failed' })).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        errors: [{ path: '/status', message: 'must be reversed' }],
        allowedActions: expect.any(Array),
      },
    });
    const { body } = await report(id, refundId, { status: 'reversed' });
    expect(body).toMatchObject({ refundStatus: 'due', lines: [{ quantities: { refunded: 0 } }] });
    const types = (await service.get(`/returns/${id}/history`)).body.items.map(({ type }) => type);
    expect(types.slice(2)).toEqual(
      ['requested', 'submitted', 'failed', 'submitted', 'unknown', 'succeeded', 'reversed'].map(
        (event) => `refund.${event}`,
      ),
    );
  });

  it.each(['succeeded', 'failed', 'unknown'])(
    'stores one attempt of a payment that is only reported as %s',
    async (status) => {
      const { id } = await shirtsBack();
      const refundId = (await book(id)).body.refunds[0]?.refundId;
      const { body } = await report(id, refundId, { status, providerRef: 'pay-1', occurredAt: '2026-11-21T06:00:00Z' });
      const settledAt = '2026-11-21T06:00:00.000Z';
      expect(body.refunds).toMatchObject([{ status, attempts: [{ status, submittedAt: settledAt, settledAt }] }]);
      expect(body.refunds[0]?.attempts).toHaveLength(1);
    },
  );

  it('releases the reserved amount of a cancelled refund', async () => {
    const { id } = await shirtsBack();
    const refundId = (await book(id)).body.refunds[0]?.refundId;
    await report(id, refundId, { status: 'cancelled' });
    expect((await book(id)).body.refunds).toMatchObject([{ status: 'cancelled' }, { amount: eur(2000) }]);
  });

  it('fails for a result in the future, of an unknown refund, and of an external one', async () => {
    const { id, order } = await shirtsBack();
    expect(await report(id, 'rfd_00000000000000000000000000', { status: 'submitted' })).toMatchObject({
      status: 404,
      body: { code: 'refund_not_found', errors: [{ path: '/refundId' }] },
    });
    const facts = { amount: eur(1), occurredAt: '2026-11-20T08:00:00Z', returnId: id };
    const recorded = await service.put(`${orderPath(order)}/refunds/1`, facts);
    expect(await report(id, recorded.body.refundId, { status: 'reversed' })).toMatchObject({ status: 409 });
    const refundId = (await book(id)).body.refunds[1]?.refundId;
    expect(await report(id, refundId, { status: 'submitted', occurredAt: '2099-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/occurredAt' }] },
    });
  });

  it('pays once per key, also when the stored response has expired', async () => {
    const { id, lines } = await shirtsBack(3);
    const key = randomUUID();
    const part = { lines: [{ lineId: lines[0], quantity: 1 }] };
    const first = await book(id, part, { key, headers: { 'if-match': '"2"' } });
    await report(id, first.body.refunds[0]?.refundId, { status: 'submitted' });
    const soon = await book(id, part, { key });
    expect([soon.status, soon.body]).toEqual([200, first.body]);
    await contract.expireResponses(key);
    const late = await book(id, part, { key, headers: { 'if-match': '"2"' } });
    expect(late).toMatchObject({ status: 200, body: { version: 4, refunds: [{ status: 'submitted' }] } });
    expect(late.headers.get('idempotency-replayed')).toBe('true');
    expect(await book(id, {}, { key })).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  const refundIn = ({ body }: Answer) => body.allowedActions?.find(({ action }) => action === 'refund');
  const readRefund = async (id: string) => refundIn(await service.get(`/returns/${id}`));
  const byAdmin = { action: 'refund', scope: 'returns:admin', allowed: true };

  it('names the required scope after refunds of other returns of the order', async () => {
    const { id, order } = await shirtsBack(2);
    const key = randomUUID();
    const other = await service.post('/returns', returnOf(order, 1));
    const path = `/returns/${other.body.returnId}`;
    const first = await service.post(`${path}/approve`, {}, { key });
    expect(refundIn(first)).toMatchObject({ scope: 'returns:write', allowed: true });
    await book(id);
    expect(await readRefund(other.body.returnId)).toEqual(byAdmin);
    const changed = await service.patch(path, { tags: ['vip'] }, { headers: { 'if-match': '"2"' } });
    expect(refundIn(changed)).toEqual(byAdmin);
    expect(await book(other.body.returnId, {}, { client: 'returns-writer' })).toMatchObject({
      body: { code: 'refund_above_limit' },
    });
    const repeated = await service.post(`${path}/approve`, {}, { key });
    expect(repeated.body).toEqual(first.body);
  });

  it('needs an admin above the limit', async () => {
    const { id } = await shirtsBack(3);
    expect(await book(id, {}, { client: 'returns-writer' })).toMatchObject({
      status: 403,
      body: { code: 'refund_above_limit' },
    });
    expect(await book(id)).toMatchObject({ status: 200 });
  });

  it('needs an admin for a partial order', async () => {
    const { id } = await shirtsBack(1, { completeness: 'partial' });
    expect(await readRefund(id)).toEqual(byAdmin);
    expect(await book(id, {}, { client: 'returns-writer' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    expect(await book(id)).toMatchObject({ status: 200 });
  });

  it('pays a gift as store credit, and never to the original payment', async () => {
    const { id } = await shirtsBack(1, { isGift: true });
    expect(await book(id, { method: 'original_payment' })).toMatchObject({
      status: 422,
      body: { code: 'resolution_not_allowed', errors: [{ path: '/method' }] },
    });
    expect((await book(id)).body.refunds).toMatchObject([{ method: 'store_credit' }]);
    const { body } = await service.get(`/returns/${id}`);
    expect(body).not.toHaveProperty('customer');
    const { id: own } = await shirtsBack(1);
    expect((await service.get(`/returns/${own}`)).body).toHaveProperty('customer');
  });

  it('refunds shipping as requested, up to the amount paid', async () => {
    const { id } = await shirtsBack(1, { shipping: { paid: eur(490) } });
    expect(await book(id, { shipping: eur(491) })).toMatchObject({
      status: 422,
      body: { code: 'shipping_refund_exceeds_paid', errors: [{ path: '/shipping/amount' }] },
    });
    expect(await book(id, { shipping: { amount: 1, currency: 'USD' } })).toMatchObject({
      status: 422,
      body: { code: 'currency_mismatch' },
    });
    expect((await book(id, { shipping: eur(90) })).body.refunds).toMatchObject([
      { amount: eur(1090), breakdown: { shipping: eur(90) } },
    ]);
    expect(await book(id, { shipping: eur(401) })).toMatchObject({ status: 422 });
  });

  it('waits for a review when external refunds exceed the agreed amount', async () => {
    const { id, order } = await shirtsBack(1);
    const lines = [{ orderLineId: '11', quantity: 2 }];
    const facts = { amount: eur(2000), occurredAt: '2026-11-20T08:00:00Z', returnId: id, lines };
    await service.put(`${orderPath(order)}/refunds/1`, facts);
    const { status, body } = await book(id);
    expect([status, body.code]).toEqual([409, 'invalid_transition']);
    expect(body.allowedActions).toContainEqual(
      expect.objectContaining({ action: 'refund', allowed: false, blockedBy: 'discrepancy' }),
    );
  });

  it('fails for lines of another return, a duplicate line, and an outdated version', async () => {
    const { id, lines } = await shirtsBack();
    const line = { lineId: lines[0], quantity: 1 };
    const unknownLine = [{ lineId: 'rln_00000000000000000000000000', quantity: 1 }];
    expect(await book(id, { lines: unknownLine })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found' },
    });
    expect(await book(id, { lines: [line, line] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/1/lineId', code: 'duplicate' }] },
    });
    expect(await book(id, {}, { headers: { 'if-match': '"1"' } })).toMatchObject({ status: 412 });
    expect(await book(id, {}, { client: 'returns-reader' })).toMatchObject({ status: 403 });
  });

  it('shows the booking in a dry run, and books nothing', async () => {
    const { id } = await shirtsBack();
    const trial = await service.post(`/returns/${id}/refunds?dryRun=true`, {}, { key: null });
    expect(trial).toMatchObject({ status: 200, body: { version: 3, refunds: [{ amount: eur(2000) }] } });
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({ version: 2, refunds: [], refundStatus: 'due' });
  });
});

describe.each(contractModes(import.meta.filename))('%s refund without terms of the deployment', (mode) => {
  const service = contractApi(mode);

  it.each(['requested', 'rejected'])('is quoted as blocked by the status %s', async (status) => {
    const { id } = await createReturn(service);
    if (status === 'rejected') await service.post(`/returns/${id}/reject`, { code: 'worn' });
    const { body } = await service.post('/quotes', { returnId: id });
    expect(body).toMatchObject({ total: eur(0), blockedBy: 'invalid_transition' });
  });

  it('waits for the goods', async () => {
    const { id } = await createReturn(service);
    expect(await service.post(`/returns/${id}/refunds`)).toMatchObject({ status: 409 });
    await service.post(`/returns/${id}/approve`);
    const { status, body } = await service.post(`/returns/${id}/refunds`);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'inspection_pending' });
    expect(body.allowedActions).toContainEqual(
      expect.objectContaining({ action: 'refund', allowed: false, blockedBy: 'inspection_pending' }),
    );
    expect(await service.post('/quotes', { returnId: id })).toMatchObject({
      status: 200,
      body: { total: eur(0), blockedBy: 'inspection_pending' },
    });
  });
});
