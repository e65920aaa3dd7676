import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { entryHash } from '../../lib/domain/returns/history/history.ts';
import { orderLinksPartition } from '../../lib/store/inbox/inbox-index.ts';
import { decodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import { type Answer, api, type Api } from '../support/api.ts';
import { announcementOf } from '../support/attachments.ts';
import { parkedDelivery } from '../support/deliveries.ts';
import type { SharedStack } from '../support/own-stack.ts';
import { createReturn } from '../support/scenario.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { storedEntry } from '../support/stored-entry.ts';

type AnyJob = Output<'getJob'>;
type Ended = <Job extends AnyJob>(service: Api, path: string) => Promise<Job>;

/** Creates a shop's delivery that names an order, with a body that is too large for its row. */
const deliveredOf = async (info: StackInfo, order: { platform: string; orderId: string }): Promise<string> => {
  const shown = await parkedDelivery(info, 'standalone', { bodyKey: `deliveries/${randomUUID()}/0` });
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: info.aws.dynamodb }));
  try {
    const Item = { pk: orderLinksPartition(order), sk: randomUUID(), delivery: decodeInboxKey(shown) };
    await table.send(new PutCommand({ TableName: info.aws.tables['standalone.Table'], Item }));
  } finally {
    table.destroy();
  }
  return shown;
};

/** Limits an export to a return and newer ones, because other files leave many returns in the stack. */
const since = ({ body }: Answer) => ({ from: (body as unknown as Output<'createReturn'>).createdAt });

/** Tests exports and erasures through the API of a mode, with the roles of the functions. */
export const takeOutAndErase = (mode: Mode, stack: () => SharedStack, ended: Ended): void => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack().info);
  });
  const reader = { client: 'returns-reader' };

  it('exports histories as the service stores them', async () => {
    const { id, answer } = await createReturn(service);
    await service.post(`/returns/${id}/approve`);
    const declaration = { name: 'Ada', email: 'ada@example.com', contract: randomUUID() };
    const { body } = await service.post('/withdrawals', declaration);
    const { withdrawalId } = body as unknown as Output<'declareWithdrawal'>;
    const started = await service.post('/exports', { format: 'history', ...since(answer) });
    expect(started.status).toBe(201);
    const { files = [] } = await ended<Output<'createExport'>>(service, `/jobs/${started.body.jobId}`);
    const lines = (await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()))).join('').split('\n');
    for (const [returnId, path] of [
      [id, `/returns/${id}`],
      [withdrawalId, `/withdrawals/${withdrawalId}`],
    ]) {
      const line = lines.find((one) => one.includes(`"returnId":"${returnId}","version"`)) ?? '{}';
      const history = await service.get(`${path}/history`);
      const { items } = history.body as unknown as Output<'getHistory'>;
      expect(JSON.parse(line)).toMatchObject({ returnId, version: 2, entries: items.map(storedEntry) });
    }
  });

  it('exports returns to files, for an admin', async () => {
    const { id, answer } = await createReturn(service);
    const { order } = answer.body as unknown as Output<'createReturn'>;
    const key = randomUUID();
    const request = { format: 'ndjson', status: 'requested', ...since(answer) };
    const started = await service.post('/exports', request, { key });
    expect(started).toMatchObject({ status: 201, body: { kind: 'export', request } });
    const path = started.headers.get('location')?.replace('/v1', '') ?? '';
    expect(path).toBe(`/jobs/${started.body.jobId}`);
    const again = await service.post('/exports', request, { key });
    expect([again.status, again.body.jobId, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      started.body.jobId,
      'true',
    ]);
    const job = await ended<Output<'createExport'>>(service, path);
    const { files = [] } = job;
    expect(job).toMatchObject({ kind: 'export', status: 'done' });
    const answers = await Promise.all(files.map(async ({ url }) => fetch(url)));
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
    const lines = (await Promise.all(answers.map(async (one) => one.text()))).join('').trimEnd().split('\n');
    expect(lines).toHaveLength(job.progress.rows);
    const shown = lines.map((line) => JSON.parse(line) as Output<'getReturn'>).find((one) => one.returnId === id);
    expect(shown).toMatchObject({ returnId: id, order: { orderId: order.orderId }, status: 'requested' });
    expect(lines.join('')).not.toContain('marker');
    expect(await service.post('/exports', { format: 'csv' }, reader)).toMatchObject({ status: 403 });
    expect(await service.post('/exports', { format: 'xlsx' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/format' }] },
    });
  });

  it('shows represented persons to readers until the erasure, and in no export', async () => {
    const { id, answer } = await createReturn(service);
    const { order } = answer.body as unknown as Output<'createReturn'>;
    const whom = `ada-${randomUUID()}`;
    const named = { headers: { 'returns-on-behalf-of': whom } };
    await service.post(`/returns/${id}/approve`, {}, named);
    const noted = await service.post(`/returns/${id}/notes`, { text: 'a note' }, named);
    expect(noted.status).toBe(200);
    expect(JSON.stringify(noted.body)).not.toContain(whom);
    const historyOf = async () =>
      (await service.get(`/returns/${id}/history`, reader)).body as unknown as Output<'getHistory'>;
    const read = async () => (await service.get(`/returns/${id}`, reader)).body as unknown as Output<'getReturn'>;
    const shown = { onBehalfOf: expect.stringMatching(new RegExp(`${whom}$`)) };
    expect((await historyOf()).items.slice(1)).toMatchObject([{ actor: shown }, { actor: shown }]);
    const page = await service.get(`/returns/${id}/history?limit=1`, reader);
    const next = await service.get(`/returns/${id}/history?limit=1&cursor=${String(page.body.nextCursor)}`, reader);
    expect(next.body.items).toMatchObject([{ sequence: 2, actor: shown }]);
    expect((await read()).notes).toMatchObject([{ actor: shown }]);
    const taken = [];
    for (const format of ['ndjson', 'csv', 'history']) {
      const { jobId } = (await service.post('/exports', { format, ...since(answer) })).body;
      const { files = [] } = await ended<Output<'createExport'>>(service, `/jobs/${jobId}`);
      taken.push(...(await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()))));
    }
    expect(taken.join('')).toContain(id);
    expect(taken.join('')).not.toContain(whom);

    const { customer = {} } = await read();
    const started = await service.post('/erasures', { platform: order.platform, customerId: customer.id });
    await ended<Output<'eraseCustomer'>>(service, `/jobs/${started.body.jobId}`);
    const { items } = await historyOf();
    expect(JSON.stringify([items, await read()])).not.toContain(whom);
    expect(items.slice(1)).toMatchObject([{ actor: { erased: true } }, { actor: { erased: true } }]);
    for (const entry of items) expect(entryHash(storedEntry(entry))).toBe(entry.hash);
    const verified = async () => (await service.get(`/returns/${id}/history/verification`, reader)).body;
    expect(await verified()).toMatchObject({ valid: true, entries: 3 });
    expect(await service.post(`/returns/${id}/cancel`, {}, named)).toMatchObject({ status: 200 });
    expect(await verified()).toMatchObject({ valid: true, entries: 4 });
    expect(JSON.stringify(await historyOf())).not.toContain(whom);
  });

  it('erases a customer, for an admin', async () => {
    const { id, answer } = await createReturn(service);
    const { order } = answer.body as unknown as Output<'createReturn'>;
    const read = async () => (await service.get(`/returns/${id}`)).body as unknown as Output<'getReturn'>;
    const { customer = {} } = await read();
    expect(customer).toMatchObject({ name: 'Ada Marker' });
    await service.post(`/returns/${id}/approve`);
    const number = `JD-${randomUUID()}`;
    const labelUrl = `https://carrier.example/${number}`;
    await service.post(`/returns/${id}/parcels`, { carrier: 'dhl', trackingNumber: number, labelUrl });
    expect((await read()).parcels).toMatchObject([{ trackingNumber: number, labelUrl }]);
    const found = async () => (await service.get(`/returns?trackingNumber=${number}`)).body.items;
    expect(await found()).toMatchObject([{ returnId: id }]);
    const file = Buffer.from('a picture');
    const added = await service.post(`/returns/${id}/attachments`, announcementOf(file));
    const { upload } = added.body as unknown as Output<'addAttachment'>;
    await fetch(upload?.url ?? '', { method: 'PUT', headers: upload?.headers ?? {}, body: file });
    const deliveryKey = await deliveredOf(stack().info, order);
    const subject = { platform: order.platform, customerId: customer.id };
    const key = randomUUID();
    const started = await service.post('/erasures', subject, { key });
    expect(started).toMatchObject({ status: 201, body: { kind: 'erasure', request: subject } });
    expect((await service.post('/erasures', subject, { key })).body.jobId).toBe(started.body.jobId);
    expect(await ended<Output<'eraseCustomer'>>(service, `/jobs/${started.body.jobId}`)).toMatchObject({
      status: 'done',
      report: { erased: { persons: 1, files: 1, deliveries: 1 }, kept: { returns: 1 } },
    });
    expect((await read()).customer).toEqual({ id: customer.id, erased: true });
    const [parcel] = (await read()).parcels;
    expect(parcel).toMatchObject({ carrier: 'dhl', erased: true });
    expect(JSON.stringify(await read())).not.toContain(number);
    expect(await found()).toEqual([]);
    const facts = await service.get(`/orders/${order.platform}/${order.orderId}`);
    expect(facts.body).toMatchObject({ customer: { id: customer.id, erased: true } });
    // The inbox of the standalone mode. The connected mode has none.
    const inbox = api('standalone', stack().info);
    expect(await inbox.get(`/inbox/deliveries/${deliveryKey}`)).toMatchObject({ status: 404 });
    expect(await service.post('/erasures', subject, reader)).toMatchObject({ status: 403 });
    expect(await service.post('/erasures', { platform: 'web' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/customerId', code: 'required' }] },
    });
  });

  /** Declares a withdrawal and returns its path, its receipt and the texts of the consumer. */
  const declared = async () => {
    const own = randomUUID();
    const content = { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own };
    const { withdrawalId } = (await service.post('/withdrawals', content))
      .body as unknown as Output<'declareWithdrawal'>;
    const path = `/withdrawals/${withdrawalId}`;
    const receipt = (await service.get(`${path}/receipt`)).body as unknown as Output<'getWithdrawalReceipt'>;
    return { withdrawalId, path, receipt, content };
  };
  type Declared = Awaited<ReturnType<typeof declared>>;

  const expectErased = async ({ path, receipt, content, withdrawalId }: Declared) => {
    const shown = (await service.get(path)).body as unknown as Output<'getWithdrawal'>;
    expect(shown).toMatchObject({ erased: true, receipt: { sha256: receipt.sha256, keyId: receipt.keyId } });
    expect(JSON.stringify(shown)).not.toContain(content.contract);
    expect(await service.get(`${path}/receipt`)).toMatchObject({ status: 410, body: { code: 'receipt_erased' } });
    // The marker of doubles is gone, too.
    const again = (await service.post('/withdrawals', content)).body as unknown as Output<'declareWithdrawal'>;
    expect(again.withdrawalId).not.toBe(withdrawalId);
  };

  it('erases an unmatched declaration of withdrawal by its id, and leaves its history valid', async () => {
    const one = await declared();
    const subject = { withdrawalId: one.withdrawalId };
    const counted = await service.post('/erasures', { ...subject, countOnly: true });
    expect(counted).toMatchObject({ status: 201, body: { request: subject } });
    const report = { report: { erased: { persons: 0, texts: 3 }, kept: { returns: 0 } } };
    expect(await ended<Output<'eraseCustomer'>>(service, `/jobs/${counted.body.jobId}`)).toMatchObject(report);
    expect((await service.get(one.path)).body).not.toHaveProperty('erased');
    const started = await service.post('/erasures', subject);
    expect(await ended<Output<'eraseCustomer'>>(service, `/jobs/${started.body.jobId}`)).toMatchObject({
      status: 'done',
      ...report,
    });
    await expectErased(one);
    const sent = { sentAt: new Date().toISOString(), channel: 'letter' };
    expect(await service.post(`${one.path}/receipt/sent`, sent)).toMatchObject({ status: 200, body: { version: 3 } });
    for (const [wrong, path] of [
      [{ ...subject, platform: 'web' }, '/platform'],
      [{ ...subject, orderId: '1' }, '/withdrawalId'],
      [{ orderId: '1' }, '/platform'],
    ] as const)
      expect(await service.post('/erasures', wrong)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it.each(['customerId', 'orderId'] as const)('erases a matched declaration with its order, by %s', async (by) => {
    const { id, answer } = await createReturn(service);
    const { order } = answer.body as unknown as Output<'createReturn'>;
    const { customer } = (await service.get(`/returns/${id}`)).body as unknown as Output<'getReturn'>;
    const [matched, other] = [await declared(), await declared()];
    const { platform, orderId } = order;
    const body = { order: { platform, orderId } };
    expect(await service.post(`${matched.path}/match`, body)).toMatchObject({ status: 200 });
    const subject = by === 'orderId' ? { platform, orderId } : { platform, customerId: customer?.id };
    const started = await service.post('/erasures', subject);
    const { report } = await ended<Output<'eraseCustomer'>>(service, `/jobs/${started.body.jobId}`);
    expect(report.erased.texts).toBeGreaterThanOrEqual(3);
    await expectErased(matched);
    expect((await service.get(other.path)).body).toMatchObject({ declaration: other.content });
  });
};
