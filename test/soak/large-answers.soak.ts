import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { eur } from '../support/orders.ts';
import { orderPath, registerOrder } from '../support/scenario.ts';

/** Lambda's limit of an answer. The answer is a text in JSON. */
const largest = 6 * 1024 * 1024;

/** The connected mode forwards answers of the standalone mode. An answer that fits there fits in both. */
describe.each(['connected'] as const)('answers of the %s mode within Lambda’s limit', (mode) => {
  const service = api(mode);
  const reason = { code: 'fit.too_small' };
  const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(body)));

  it('include pages of a history with large entries, and a return with as many refunds as fit', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(190)}-${index}`);
    const lines = ids.map((lineId) => ({ lineId, quantity: 1000, unitPrice: eur(1) }));
    const order = await registerOrder(service, { lines });
    const [line = ''] = ids;
    const { body } = await service.post('/returns', { order, lines: [{ orderLineId: line, quantity: 1, reason }] });
    const facts = { amount: eur(500), occurredAt: '2026-11-20T08:00:00Z', returnId: body.returnId };
    const parts = ids.map((orderLineId) => ({ orderLineId, quantity: 1, amount: eur(1) }));
    const record = async () => service.put(`${orderPath(order)}/refunds/${randomUUID()}`, { ...facts, lines: parts });
    const answers = [];
    do answers.push(await record());
    while (answers.at(-1)?.status === 201 && answers.length < 40);
    expect(answers.at(-1)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });

    const read = await service.get(`/returns/${body.returnId}`);
    expect(read.status).toBe(200);
    expect(sizeOf(read.body)).toBeLessThan(largest);
    const sequences: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: typeof read = await service.get(`/returns/${body.returnId}/history?limit=200${cursor}`);
      expect(page.status).toBe(200);
      expect(sizeOf(page.body)).toBeLessThan(largest);
      sequences.push(...page.body.items.map(({ sequence }) => sequence));
      cursor = page.body.nextCursor === null ? null : `&cursor=${page.body.nextCursor}`;
    }
    expect(sequences).toEqual(answers.map((_, index) => index + 1));
  });

  it('include a list of returns with the maximum of tags and references', async () => {
    const customer = { id: `customer-${randomUUID()}` };
    const tags = Array.from({ length: 50 }, (_, index) => `${'\u0001'.repeat(98)}${10 + index}`);
    const references = () =>
      Array.from({ length: 20 }, () => ({ platform: 'web', id: `${randomUUID()}${'"'.repeat(164)}` }));
    const create = async () => {
      const order = await registerOrder(service, { customer });
      const lines = [{ orderLineId: '11', quantity: 1, reason }];
      const { body } = await service.post('/returns', { order, lines, tags, externalRefs: references() });
      return body.returnId;
    };
    const ids: string[] = [];
    for (let batch = 0; batch < 15; batch += 1) ids.push(...(await Promise.all(Array.from({ length: 10 }, create))));
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof service.get>> = await service.get(
        `/returns?customerId=${customer.id}&limit=200${cursor}`,
      );
      expect(page.status).toBe(200);
      expect(sizeOf(page.body)).toBeLessThan(largest);
      found.push(...(page.body.items as unknown as { returnId: string }[]).map(({ returnId }) => returnId));
      cursor = page.body.nextCursor === null ? null : `&cursor=${page.body.nextCursor}`;
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
  });
});
