import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractModes, contractWithTerms } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { approvedReturnOf, returnOf } from '../support/scenario.ts';

const contract = contractWithTerms({ refundTiming: 'approved', refundApprovalLimit: { EUR: 2500 } });

const paidAt = '2026-11-20T08:00:00Z';
const paid = { status: 'succeeded', providerRef: 'pay-1', occurredAt: paidAt };

describe.each(contractModes(import.meta.filename))('%s refund with the result of its payment', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  /** Creates an approved return of shirts at 10.00 each. */
  const shirtsBack = async (quantity = 2) => approvedReturnOf(service, (order) => returnOf(order, quantity));
  const book = async (id: string, body: object, options: Parameters<Api['post']>[2] = {}) =>
    service.post(`/returns/${id}/refunds`, body, options);
  const read = async (id: string) => (await service.get(`/returns/${id}`)).body;
  const typesOf = async (id: string) =>
    (await service.get(`/returns/${id}/history`)).body.items.map(({ type }) => type).slice(2);

  it('books the refund as paid in one request, with one attempt', async () => {
    const { id, lines } = await shirtsBack();
    const { status, body } = await book(id, { result: paid });
    expect(status).toBe(200);
    const at = '2026-11-20T08:00:00.000Z';
    expect(body).toMatchObject({
      version: 4,
      status: 'approved',
      refundStatus: 'refunded',
      lines: [{ quantities: { refunded: 2 }, amounts: { refunded: eur(2000) } }],
      refunds: [
        {
          returnId: id,
          amount: eur(2000),
          status: 'succeeded',
          providerRef: 'pay-1',
          occurredAt: at,
          attempts: [{ status: 'succeeded', submittedAt: at, settledAt: at, providerRef: 'pay-1' }],
          returnLines: [{ lineId: lines[0], quantity: 2, gross: eur(2000) }],
        },
      ],
    });
    expect(body.refunds[0]?.attempts).toHaveLength(1);
    expect(await read(id)).toMatchObject({ version: 4, refunds: body.refunds });
    const { items } = (await service.get(`/returns/${id}/history`)).body;
    const refundId = body.refunds[0]?.refundId;
    expect(items.slice(2)).toMatchObject([
      { sequence: 3, type: 'refund.requested', data: { refund: { id: refundId, status: 'pending', attempts: [] } } },
      { sequence: 4, type: 'refund.succeeded', data: { refundId, occurredAt: at, providerRef: 'pay-1' } },
    ]);
    expect((await service.get(`/returns/${id}/history/verification`)).body).toMatchObject({ valid: true, entries: 4 });
  });

  it('takes the time of the command for a payment without a time', async () => {
    const { id } = await shirtsBack();
    const { body } = await book(id, { result: { status: 'succeeded', providerRef: 'pay-2' } });
    const { updatedAt } = body as unknown as { updatedAt: string };
    expect(body.refunds).toMatchObject([
      { occurredAt: updatedAt, attempts: [{ submittedAt: updatedAt, settledAt: updatedAt }] },
    ]);
  });

  it('books a part as paid, and leaves the rest due', async () => {
    const { id, lines } = await shirtsBack();
    const part = { lines: [{ lineId: lines[0], quantity: 1 }], result: paid };
    expect((await book(id, part)).body).toMatchObject({ refundStatus: 'partially_refunded', version: 4 });
    expect((await book(id, { result: { ...paid, providerRef: 'pay-2' } })).body).toMatchObject({
      refundStatus: 'refunded',
      version: 6,
      refunds: [
        { amount: eur(1000), providerRef: 'pay-1' },
        { amount: eur(1000), providerRef: 'pay-2' },
      ],
    });
  });

  it('books a failed payment, which is then retried in steps', async () => {
    const { id } = await shirtsBack();
    const result = { status: 'failed', code: 'card_closed', occurredAt: paidAt };
    const { status, body } = await book(id, { result });
    const at = '2026-11-20T08:00:00.000Z';
    expect([status, body]).toMatchObject([
      200,
      {
        version: 4,
        refundStatus: 'failed',
        refunds: [
          {
            status: 'failed',
            attempts: [{ status: 'failed', submittedAt: at, settledAt: at, code: 'card_closed' }],
          },
        ],
      },
    ]);
    expect(body.refunds[0]).not.toHaveProperty('occurredAt');
    // The failed refund still reserves the units.
    expect(await book(id, { result: paid })).toMatchObject({ status: 422, body: { code: 'refund_exceeds_ceiling' } });
    const path = `/returns/${id}/refunds/${body.refunds[0]?.refundId}/result`;
    await service.post(path, { status: 'submitted', providerRef: 'pay-2' });
    const again = await service.post(path, { status: 'succeeded' });
    expect(again.body).toMatchObject({
      version: 6,
      refundStatus: 'refunded',
      refunds: [
        { status: 'succeeded', providerRef: 'pay-2', attempts: [{ code: 'card_closed' }, { status: 'succeeded' }] },
      ],
    });
    expect(await typesOf(id)).toEqual(['requested', 'failed', 'submitted', 'succeeded'].map((one) => `refund.${one}`));
  });

  it('is reversed like any paid refund', async () => {
    const { id } = await shirtsBack();
    const refundId = (await book(id, { result: paid })).body.refunds[0]?.refundId;
    const report = async (body: object) => service.post(`/returns/${id}/refunds/${refundId}/result`, body);
    expect(await report({ status: 'succeeded' })).toMatchObject({ status: 200, body: { version: 4 } });
    expect(await report({ status: 'failed' })).toMatchObject({ status: 409 });
    expect((await report({ status: 'reversed' })).body).toMatchObject({ version: 5, refundStatus: 'due' });
  });

  it.each([
    ['a success without a reference', { status: 'succeeded' }, '/result/providerRef', 'required'],
    ['a result in the future', { ...paid, occurredAt: '2099-01-01T00:00:00Z' }, '/result/occurredAt', 'maximum'],
    ['a status that is no result', { ...paid, status: 'submitted' }, '/result/status', 'enum'],
  ])('returns 400 for %s, and books nothing', async (_, result, path, code) => {
    const { id } = await shirtsBack(1);
    expect(await book(id, { result })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
    expect(await read(id)).toMatchObject({ version: 2, refunds: [], refundStatus: 'due' });
  });

  it('pays once per key, also when the stored response has expired', async () => {
    const { id, lines } = await shirtsBack(2);
    const key = randomUUID();
    const part = { lines: [{ lineId: lines[0], quantity: 1 }], result: paid };
    const first = await book(id, part, { key, headers: { 'if-match': '"2"' } });
    expect(first.status).toBe(200);
    const soon = await book(id, part, { key, headers: { 'if-match': '"2"' } });
    expect([soon.status, soon.body, soon.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
    await contract.expireResponses(key);
    const late = await book(id, part, { key, headers: { 'if-match': '"2"' } });
    expect([late.status, late.body, late.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
    const other = { ...part, result: { ...paid, providerRef: 'pay-2' } };
    expect(await book(id, other, { key })).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await read(id)).toMatchObject({ version: 4, refunds: [{ providerRef: 'pay-1' }] });
    expect(await typesOf(id)).toEqual(['refund.requested', 'refund.succeeded']);
  });

  it('pays the units once for concurrent requests with different keys', async () => {
    const { id } = await shirtsBack(1);
    const both = await Promise.all(
      ['pay-1', 'pay-2'].map(async (providerRef) => book(id, { result: { ...paid, providerRef } })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const { version, refunds } = await read(id);
    expect([version, refunds.length]).toEqual([4, 1]);
    expect(await typesOf(id)).toEqual(['refund.requested', 'refund.succeeded']);
  });

  it('pays the units once for concurrent requests with one key', async () => {
    const { id } = await shirtsBack(1);
    const key = randomUUID();
    const all = await Promise.all([1, 2, 3].map(async () => book(id, { result: paid }, { key })));
    expect(all.map(({ status }) => status)).toContain(200);
    expect([200, 409]).toEqual(expect.arrayContaining(all.map(({ status }) => status)));
    expect(await read(id)).toMatchObject({ version: 4, refunds: [{ providerRef: 'pay-1' }] });
  });

  it('shows the paid refund in a dry run, and stores nothing', async () => {
    const { id } = await shirtsBack();
    const trial = await service.post(`/returns/${id}/refunds?dryRun=true`, { result: paid }, { key: null });
    expect(trial).toMatchObject({
      status: 200,
      body: { version: 4, refundStatus: 'refunded', refunds: [{ status: 'succeeded', amount: eur(2000) }] },
    });
    expect(await read(id)).toMatchObject({ version: 2, refunds: [], refundStatus: 'due' });
    expect(await typesOf(id)).toEqual([]);
  });

  it.each([
    ['succeeded', paid],
    ['failed', { status: 'failed', code: 'card_closed' }],
  ])('returns 403 above the limit of a writer, and books nothing of a result %s', async (_, result) => {
    const { id, lines } = await shirtsBack(3);
    const writer = { client: 'returns-writer' };
    expect(await book(id, { result }, writer)).toMatchObject({ status: 403, body: { code: 'refund_above_limit' } });
    expect(await read(id)).toMatchObject({ version: 2, refunds: [], refundStatus: 'due' });
    const part = { lines: [{ lineId: lines[0], quantity: 2 }], result };
    expect(await book(id, part, writer)).toMatchObject({ status: 200, body: { version: 4 } });
    expect(await book(id, { result }, writer)).toMatchObject({ status: 403, body: { code: 'refund_above_limit' } });
    expect(await read(id)).toMatchObject({ version: 4 });
    expect(await book(id, { result })).toMatchObject({ status: 200, body: { version: 6 } });
  });

  it('returns 422 for an outdated quote or an unknown amount, and books nothing', async () => {
    const { id } = await shirtsBack(1);
    expect(await book(id, { result: paid, quoteHash: '0'.repeat(64) })).toMatchObject({
      body: { code: 'quote_stale' },
    });
    expect(await book(id, { result: paid, shipping: eur(1) })).toMatchObject({
      status: 422,
      body: { code: 'shipping_refund_exceeds_paid' },
    });
    expect(await read(id)).toMatchObject({ version: 2, refunds: [] });
  });
});
