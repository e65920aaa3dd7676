import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { announcementOf } from '../support/attachments.ts';
import { approvedExchange, exchangeIdIn } from '../support/exchanges.ts';
import { createReturn, orderPath, returnOf, shopOrder } from '../support/scenario.ts';
import { sample } from '../support/samples.ts';

describe.each(contractModes(import.meta.filename))('%s dryRun', (mode) => {
  const service = contractApi(mode);
  /** A dry run needs no key, because it stores nothing. */
  const trial = { key: null };

  it('shows the result of registerOrder, and stores nothing', async () => {
    const path = orderPath({ platform: 'web', orderId: randomUUID() });
    expect(await service.put(`${path}?dryRun=true`, shopOrder())).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await service.get(path)).toMatchObject({ status: 404 });
    await service.put(path, shopOrder());
    const newer = shopOrder({ number: '#2', observedAt: '2026-11-03T00:00:00Z' });
    expect(await service.put(`${path}?dryRun=true`, newer)).toMatchObject({
      status: 200,
      body: { number: '#2', version: 2 },
    });
    expect(await service.get(path)).toMatchObject({ body: { number: '#1001', version: 1 } });
  });

  const commands: readonly [command: string, body: object, status: string][] = [
    ['approve', {}, 'approved'],
    ['reject', { code: 'final_sale' }, 'rejected'],
    ['request-info', { message: 'marker: worn?' }, 'info_requested'],
    ['cancel', {}, 'cancelled'],
    ['notes', { text: 'marker: friendly' }, 'requested'],
  ];
  it.each(sample(commands, 2))('shows the result of %s, and stores nothing', async (command, body, status) => {
    const { id, order } = await createReturn(service, 2);
    expect(await service.post(`/returns/${id}/${command}?dryRun=true`, body, trial)).toMatchObject({
      status: 200,
      body: { status, version: 2 },
    });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { status: 'requested', version: 1 } });
    expect((await service.get(`/returns/${id}/history`)).body.items).toHaveLength(1);
    expect(await service.post('/returns', returnOf(order, 2))).toMatchObject({ status: 422 });
  });

  it('shows the result of an exchange and of its update, and stores nothing', async () => {
    const { id, body } = await approvedExchange(service);
    expect(await service.post(`/returns/${id}/exchanges?dryRun=true`, body, trial)).toMatchObject({
      status: 200,
      body: { version: 3, exchanges: [{ status: 'requested' }] },
    });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { version: 2, exchanges: [] } });
    const path = `/returns/${id}/exchanges/${exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body))}/result`;
    expect(await service.post(`${path}?dryRun=true`, { status: 'ordered' }, trial)).toMatchObject({
      status: 200,
      body: { version: 4, exchanges: [{ status: 'ordered' }] },
    });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { exchanges: [{ status: 'requested' }] } });
  });

  it('shows the result of addAttachment without an upload URL, and stores nothing', async () => {
    const { id } = await createReturn(service);
    const announcement = announcementOf(Buffer.from('a picture'));
    const { status, body } = await service.post(`/returns/${id}/attachments?dryRun=true`, announcement, trial);
    expect({ status, body }).toMatchObject({ status: 201, body: { version: 2, attachment: announcement } });
    expect(body).not.toHaveProperty('upload');
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { version: 1, evidence: [] } });
  });

  it.each([
    ['provide-info', { message: 'marker: no' }, [['request-info', { message: 'marker: worn?' }]], 'requested'],
    ['expire', {}, [['approve']], 'expired'],
    ['reopen', { reason: 'marker: mistaken' }, [['cancel']], 'requested'],
  ] as const)(
    'shows the result of %s after earlier commands, and stores nothing',
    async (command, body, before, status) => {
      const { id } = await createReturn(service);
      for (const [earlier, content] of before) await service.post(`/returns/${id}/${earlier}`, content);
      const { body: then } = await service.get(`/returns/${id}`);
      expect(await service.post(`/returns/${id}/${command}?dryRun=true`, body, trial)).toMatchObject({
        status: 200,
        body: { status, version: 3 },
      });
      expect((await service.get(`/returns/${id}`)).body).toEqual(then);
    },
  );

  it('shows the result of corrections and of a completion, and stores nothing', async () => {
    const { id, answer } = await createReturn(service);
    await service.post(`/returns/${id}/approve`);
    const came = {
      reason: 'marker: it came',
      lines: [{ lineId: answer.body.lines[0]?.lineId, received: 1, accepted: 1 }],
    };
    const tried = await service.post(`/returns/${id}/corrections?dryRun=true`, came, trial);
    expect(tried).toMatchObject({ status: 200, body: { status: 'inspected', version: 3 } });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { status: 'approved', version: 2 } });
    await service.post(`/returns/${id}/corrections`, came);
    const waive = { waive: { reason: 'marker: a gift' } };
    expect(await service.post(`/returns/${id}/complete?dryRun=true`, waive, trial)).toMatchObject({
      status: 200,
      body: { status: 'completed', version: 4 },
    });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { status: 'inspected', version: 3 } });
  });

  it('shows the result of updateReturn, and stores nothing', async () => {
    const { id } = await createReturn(service);
    const trial = await service.patch(
      `/returns/${id}?dryRun=true`,
      { tags: ['vip'] },
      { headers: { 'if-match': '"1"' } },
    );
    expect(trial).toMatchObject({ status: 200, body: { version: 2, tags: ['vip'] } });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { version: 1, tags: [] } });
  });

  it('makes every check of the command', async () => {
    const { id, order } = await createReturn(service, 2);
    expect(await service.post('/returns?dryRun=true', returnOf(order, 2), trial)).toMatchObject({ status: 422 });
    await service.post(`/returns/${id}/approve`);
    expect(await service.post(`/returns/${id}/reject?dryRun=true`, { code: 'final_sale' }, trial)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    const stale = { ...trial, headers: { 'if-match': '"1"' } };
    expect(await service.post(`/returns/${id}/approve?dryRun=true`, {}, stale)).toMatchObject({ status: 412 });
  });

  it('does not use up an Idempotency-Key that the request has', async () => {
    const { id } = await createReturn(service);
    const key = randomUUID();
    await service.post(`/returns/${id}/approve?dryRun=true`, {}, { key });
    const answer = await service.post(`/returns/${id}/approve`, {}, { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });
});
