import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user } from '../../lib/contract/example-story.ts';
import * as operations from '../../lib/contract/operations.ts';
import { api, type Answer, type Api } from '../support/api.ts';
import { approvedExchange, exchangeIdIn } from '../support/exchanges.ts';
import { putUser } from '../support/known-user.ts';
import { startFaultyEngine, type FaultyEngine } from '../support/faulty-engine.ts';
import { announcementOf } from '../support/attachments.ts';
import { parkedDelivery, redriving } from '../support/deliveries.ts';
import { lostBulk, waitingJob } from '../support/jobs.ts';
import { eur } from '../support/orders.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import {
  approvedReturn,
  approvedReturnOf,
  createReturn,
  orderPath,
  overpaidReturn,
  registerOrder,
  returnOf,
  shopOrder,
  importOf,
} from '../support/scenario.ts';
import { policyWrites } from '../support/policy-writes.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { endpointWrites } from '../support/endpoint-writes.ts';
import { intentWrites } from '../support/intent-writes.ts';
import { jobWrites } from '../support/job-writes.ts';
import { withdrawalWrites } from '../support/withdrawal-writes.ts';
import { sample } from '../support/samples.ts';

let engine: FaultyEngine;
beforeAll(async () => {
  engine = await startFaultyEngine();
  await putUser(engine.info);
});
afterAll(async () => engine.close());

type Write = {
  readonly operation: string;
  readonly status: number;
  /** The status of a repeat after the first response was lost. */
  readonly again: number;
  /** Creates the resource of the operation, and returns the call. */
  readonly prepare: (service: Api) => Promise<(key: string) => Promise<Answer>>;
};

type Content = object | ((lineId: string) => object);
type Step = readonly [path: string, body?: Content];

/** Returns a command on a return of one unit, after earlier commands. */
const command = (
  operation: string,
  content: Content,
  { path = operation, before = [] }: { path?: string; before?: readonly Step[] } = {},
): Write => ({
  operation,
  status: 200,
  again: 200,
  prepare: async (service) => {
    const { id, answer } = await createReturn(service);
    const bodyOf = (body: Content) => (typeof body === 'function' ? body(answer.body.lines[0]?.lineId ?? '') : body);
    for (const [earlier, body = {}] of before) await service.post(`/returns/${id}/${earlier}`, bodyOf(body));
    return async (key) => service.post(`/returns/${id}/${path}`, bodyOf(content), { key });
  },
});

type Approved = Awaited<ReturnType<typeof approvedReturn>>;

/** Returns a command on the goods of an approved return. */
const onGoods = (
  operation: string,
  path: string,
  bodyOf: (created: Approved, service: Api) => object | Promise<object>,
): Write => ({
  operation,
  status: 200,
  again: 200,
  prepare: async (service) => {
    const created = await approvedReturn(service);
    const body = await bodyOf(created, service);
    return async (key) => service.post(`${created.path}/${path}`, body, { key });
  },
});

const one = ({ lineId }: Approved) => ({ lineId, quantity: 1 });
const received = (lineId: string) => ({ lines: [{ lineId, quantity: 1 }] });
const came = (lineId: string) => ({ reason: 'marker: it came', lines: [{ lineId, received: 1, accepted: 1 }] });
const infoRequest: Step = ['request-info', { message: 'marker: worn?' }];

const writes: readonly Write[] = [
  {
    operation: 'registerOrder',
    status: 201,
    again: 200,
    prepare: async (service) => {
      const path = orderPath({ platform: 'web', orderId: randomUUID() });
      const facts = shopOrder();
      return async () => service.put(path, facts);
    },
  },
  {
    operation: 'recordRefund',
    status: 201,
    again: 200,
    prepare: async (service) => {
      const path = `${orderPath(await registerOrder(service))}/refunds/1`;
      const facts = { amount: { amount: 1, currency: 'EUR' }, occurredAt: '2026-11-20T08:00:00Z' };
      return async () => service.put(path, facts);
    },
  },
  {
    operation: 'importReturn',
    status: 201,
    again: 200,
    prepare: async (service) => {
      const request = importOf();
      const path = `/imports/loop/returns/${randomUUID()}`;
      return async () => service.put(path, request);
    },
  },
  {
    operation: 'createReturn',
    status: 201,
    again: 201,
    prepare: async (service) => {
      const request = returnOf(await registerOrder(service), 3);
      return async (key) => service.post('/returns', request, { key });
    },
  },
  {
    operation: 'updateReturn',
    status: 200,
    // The request has no key. The caller learns that its version is outdated, and reads the return.
    again: 412,
    prepare: async (service) => {
      const { id } = await createReturn(service);
      return async () => service.patch(`/returns/${id}`, { tags: ['a'] }, { headers: { 'if-match': '"1"' } });
    },
  },
  command('approve', {}),
  command('reject', { code: 'final_sale', note: 'marker: sorry' }),
  onGoods('addParcel', 'parcels', () => ({})),
  {
    operation: 'updateParcel',
    status: 200,
    again: 412,
    prepare: async (service) => {
      const { path } = await approvedReturn(service);
      const { body, headers } = await service.post(`${path}/parcels`);
      const ifMatch = { 'if-match': headers.get('etag') ?? '' };
      const at = `${path}/parcels/${body.parcels[0]?.parcelId}`;
      return async () => service.patch(at, { status: 'in_transit' }, { headers: ifMatch });
    },
  },
  onGoods('receive', 'receipts', (created) => ({
    lines: [one(created)],
    unexpected: [{ quantity: 1, note: 'marker: a brick' }],
  })),
  onGoods('receiveAndRefund', 'receipts/refund', () => ({})),
  onGoods('closeReceipt', 'receipts/close', () => ({})),
  onGoods('inspect', 'inspections', async (created, service) => {
    await service.post(`${created.path}/receipts`, { lines: [one(created)] });
    return { lines: [{ ...one(created), outcome: 'accept', note: 'marker: as new' }] };
  }),
  onGoods('grant', 'grants', async (created, service) => {
    await service.post(`${created.path}/receipts/close`);
    return { lines: [{ ...one(created), of: 'missing' }], reason: 'goodwill' };
  }),
  {
    operation: 'exchange',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id, body } = await approvedExchange(service);
      return async (key) => service.post(`/returns/${id}/exchanges`, body, { key });
    },
  },
  {
    operation: 'exchangeResult',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id, body } = await approvedExchange(service);
      const exchangeId = exchangeIdIn(await service.post(`/returns/${id}/exchanges`, body));
      return async (key) =>
        service.post(`/returns/${id}/exchanges/${exchangeId}/result`, { status: 'ordered' }, { key });
    },
  },
  command('cancel', { note: 'marker: kept' }),
  {
    operation: 'addAttachment',
    status: 201,
    again: 201,
    prepare: async (service) => {
      const { id } = await createReturn(service);
      const announcement = announcementOf(Buffer.from('a picture'));
      return async (key) => service.post(`/returns/${id}/attachments`, announcement, { key });
    },
  },
  {
    operation: 'refund',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id } = await approvedReturnOf(service, (order) => returnOf(order, 2));
      return async (key) => service.post(`/returns/${id}/refunds`, {}, { key });
    },
  },
  {
    operation: 'recordRefundResult',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id } = await approvedReturnOf(service, (order) => returnOf(order, 2));
      const { body } = await service.post(`/returns/${id}/refunds`);
      const path = `/returns/${id}/refunds/${body.refunds[0]?.refundId}/result`;
      return async (key) => service.post(path, { status: 'submitted' }, { key });
    },
  },
  command('compensate', (lineId: string) => ({ type: 'price_reduction', lineId, amount: eur(1), reason: 'goodwill' }), {
    path: 'compensations',
  }),
  command('remindRefund', {}, { path: 'refund-reminders', before: [['approve'], ['receipts', received]] }),
  {
    operation: 'waiveFee',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id } = await approvedReturnOf(service, (order) => returnOf(order, 2));
      return async (key) => service.post(`/returns/${id}/fees/return_shipping/waive`, { reason: 'goodwill' }, { key });
    },
  },
  {
    operation: 'recordRecovery',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id } = await overpaidReturn(service);
      return async (key) => service.post(`/returns/${id}/recoveries`, { amount: eur(400) }, { key });
    },
  },
  {
    operation: 'writeOffRecovery',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id } = await overpaidReturn(service);
      return async (key) => service.post(`/returns/${id}/recoveries/write-off`, { reason: 'goodwill' }, { key });
    },
  },
  command('amendReturn', (lineId: string) => ({ raise: [{ lineId, quantity: 1 }] }), { path: 'amendment' }),
  command('requestInfo', { message: 'marker: worn?' }, { path: 'request-info' }),
  command('provideInfo', { message: 'marker: no' }, { path: 'provide-info', before: [infoRequest] }),
  command('complete', { waive: { reason: 'marker: a gift' } }, { before: [['approve'], ['corrections', came]] }),
  command('expire', {}, { before: [['approve']] }),
  command('reopen', { reason: 'marker: mistaken' }, { before: [['cancel']] }),
  command('correct', came, { path: 'corrections', before: [['approve']] }),
  command('addNote', { text: 'marker: friendly' }, { path: 'notes' }),
  command('assignReturn', { userId: user.userId }, { path: 'assignee' }),
  ...policyWrites,
  ...jobWrites,
  {
    operation: 'cancelBulk',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const { id } = await createReturn(service);
      const jobId = await lostBulk(engine.info, id, { clientId: 'returns-admin' });
      return async (key) => service.post(`/bulk-commands/${jobId}/cancel`, {}, { key });
    },
  },
  {
    operation: 'cancelJob',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const id = await waitingJob(engine.info);
      return async (key) => service.post(`/jobs/${id}/cancel`, {}, { key });
    },
  },
  {
    operation: 'replay',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const path = `/inbox/deliveries/${await parkedDelivery(engine.info, 'standalone')}/replay`;
      return async (key) => service.post(path, {}, { key });
    },
  },
  {
    operation: 'replayRange',
    status: 200,
    again: 200,
    prepare: async (service) => {
      const from = Date.now() - 1_000;
      await parkedDelivery(engine.info, 'standalone');
      const range = {
        receivedFrom: new Date(from).toISOString(),
        receivedTo: new Date(from + 60_000).toISOString(),
        source: 'nobody.example',
      };
      return async (key) => service.post('/inbox/replays', range, { key });
    },
  },
  { operation: 'redrive', status: 200, again: 200, prepare: redriving('/inbox/redrive') },
  { operation: 'redriveDeadLetters', status: 200, again: 200, prepare: redriving('/dead-letters/inbox/redrives') },
  ...endpointWrites(() => engine.info),
  ...withdrawalWrites,
  ...intentWrites(() => engine.info),
  {
    operation: 'putReason',
    status: 201,
    again: 412,
    prepare: async (service) => {
      const path = `/reasons/${ownCode()}`;
      return async () => service.put(path, reasonFacts, { headers: { 'if-none-match': '*' } });
    },
  },
];

it('the cases of lost responses cover every operation that writes', () => {
  const writing = Object.values(operations).filter(({ dryRun }) => dryRun);
  expect(writes.map(({ operation }) => operation).toSorted()).toEqual(writing.map(({ name }) => name).toSorted());
});

// The connected mode adds the same to all operations: its client retries, and then fails.
const few = writes.filter(({ operation }) => ['createReturn', 'recordRefund', 'updateReturn'].includes(operation));

describe.each(modes)('%s with a lost response', (mode) => {
  const cases = sample(mode === 'standalone' ? writes : few, 24);
  it.each(cases)('$operation succeeds when one response is lost', async ({ prepare, status }) => {
    const call = await prepare(api(mode, engine.info));
    const before = engine.lost();
    engine.arm('once');
    const answer = await call(randomUUID());
    expect(engine.lost()).toBe(before + 1);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });

  it.each(cases)('$operation runs once when all responses are lost until a later repeat', async (write) => {
    const service = api(mode, engine.info);
    const call = await write.prepare(service);
    const key = randomUUID();
    engine.arm('down');
    const lost = await call(key);
    engine.arm('none');
    expect(lost).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    const again = await call(key);
    expect(again.status).toBe(write.again);
    const third = await call(key);
    expect([third.status, third.body.returnId, third.body.version]).toEqual([
      again.status,
      again.body.returnId,
      again.body.version,
    ]);
    expect(third.headers.get('idempotency-replayed')).toBe(again.headers.get('idempotency-replayed'));
  });
});
