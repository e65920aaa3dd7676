import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { errors } from '../../lib/contract/errors.ts';
import * as operations from '../../lib/contract/operations.ts';
import { contract, type Output } from '../../lib/contract/contract.ts';
import { api } from '../support/api.ts';
import { announcementOf } from '../support/attachments.ts';
import { parkedDelivery } from '../support/deliveries.ts';
import { lambda, type Lambda } from '../support/lambda.ts';
import { lostBulk, waitingJob } from '../support/jobs.ts';
import { putUser } from '../support/known-user.ts';
import { eur } from '../support/orders.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import { documentFor } from '../support/policies.ts';
import { createReturn, orderPath, overpaidReturn, registerOrder, returnOf, shopOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { modes, type Mode } from '../../lib/tools/template/functions/function-row.ts';
import { putSent, silent } from '../support/webhook-endpoints.ts';
import { runsEveryCase, sample } from '../support/samples.ts';
import { handleOutsideFacts } from './outside-facts.ts';
import { handleWithdrawals } from './withdrawals.ts';
import { handleWriteBack } from './write-back.ts';

/** Every operation of the contract, and the required fields of its input. */
const all = Object.values(operations).map(({ name }) => {
  const { params, query, body } = contract[name];
  const parts: readonly { required?: string[] | undefined }[] = [params, query, body];
  return { name, required: parts.flatMap((part) => part.required ?? []) };
});

/** They need one of several fields. */
const demandingOne: ReadonlySet<string> = new Set(['quoteReturn', 'eraseCustomer', 'searchCustomers']);
const demanding = all.filter(({ required }) => required.length > 0);

/** Returns the actor of a direct invocation. */
const actor = (mode: Mode, onBehalfOf: string) =>
  mode === 'standalone'
    ? { clientId: 'direct-invocation', onBehalfOf }
    : { clientId: 'returns-integration', onBehalfOf: `direct-invocation/${onBehalfOf}` };

/** Creates a return by direct invocation only. */
const createDirectly = async (invoke: Lambda, more: object = {}) => {
  const order = { platform: 'shopify', orderId: randomUUID() };
  await invoke('registerOrder', { input: { ...order, ...shopOrder() } });
  const { reply } = await invoke('createReturn', {
    input: returnOf(order),
    idempotencyKey: randomUUID(),
    ...more,
  });
  if (reply?.status !== 201) throw new Error('return not created');
  return { order, reply, id: reply.body.returnId };
};

describe.each(modes)('%s direct invocation', (mode) => {
  const service = api(mode);
  const invoke = lambda(mode);
  /** Cases of code that both modes share. */
  const shared = <Case>(...cases: Case[]): Case[] => (runsEveryCase() || mode === 'standalone' ? cases : []);
  describe('every operation', () => {
    it.each(sample(demanding, 12))('$name names the missing fields of an empty input', async ({ name, required }) => {
      const { error, problem } = await invoke(name, { input: {}, idempotencyKey: randomUUID(), ifMatch: 1 });
      expect(error).toMatchObject({ errorType: 'invalid_request', trace: ['invalid_request'] });
      expect(problem).toMatchObject({ code: 'invalid_request', status: 400 });
      const lacking = problem?.errors?.filter(({ code }) => code === 'required').map(({ path }) => path);
      expect(lacking?.toSorted()).toEqual(required.map((field) => `/input/${field}`).toSorted());
    });

    const lenient = all.filter(({ name, required }) => required.length === 0 && !demandingOne.has(name));
    it.each(sample(lenient, 12))('$name accepts an empty input', async ({ name }) => {
      const { reply, error } = await invoke(name, { input: {}, idempotencyKey: randomUUID() });
      expect({ error, status: reply?.status }).toEqual({ error: undefined, status: 200 });
    });

    it.each(sample(all, 12))('$name rejects unknown fields', async ({ name }) => {
      const { problem } = await invoke(name, { input: { nonsense: 1 }, idempotencyKey: randomUUID() });
      expect(problem).toMatchObject({ code: 'invalid_request' });
      expect(problem?.errors).toContainEqual(
        expect.objectContaining({ path: '/input/nonsense', code: 'unknown_field' }),
      );
    });
  });

  it('handles a return from the order to the decision', async () => {
    const { order, reply, id } = await createDirectly(invoke);
    const body = { returnId: id, status: 'requested', order };
    expect(reply).toMatchObject({ status: 201, version: 1, location: `/v1/returns/${id}`, body });
    const approved = await invoke('approve', { input: { returnId: id }, idempotencyKey: randomUUID(), ifMatch: 1 });
    expect(approved.reply).toMatchObject({ status: 200, version: 2, body: { returnId: id, status: 'approved' } });
    const left = await invoke('getReturnable', { input: order });
    expect(left.reply?.body).toMatchObject({ lines: [{ lineId: '11', held: 1 }, { lineId: '12' }] });
  });

  // The connected mode forwards to the standalone one, which handles each operation by the same code.
  it.each(runsEveryCase() || mode === 'connected' ? ['handles every operation'] : [])('%s', async () => {
    const { order, id } = await createDirectly(invoke);
    const done: string[] = [];
    const run = async (name: keyof typeof operations, input: object, more: object = {}) => {
      const { reply, error } = await invoke(name, { input, ...more });
      expect({ name, error }).toEqual({ name, error: undefined });
      done.push(name);
      return reply;
    };
    const key = () => ({ idempotencyKey: randomUUID() });
    await run('registerOrder', { ...order, ...shopOrder() });
    for (const name of ['getOrder', 'getReturnable'] as const) await run(name, order);
    expect(await run('listReturns', { ...order, limit: 1 })).toMatchObject({ body: { items: [{ returnId: id }] } });
    await Promise.all([run('findReturns', { reference: id }), run('searchCustomers', { name: id })]);
    expect(await run('updateReturn', { returnId: id, tags: ['vip'] }, { ifMatch: 1 })).toMatchObject({ version: 2 });
    await run('approve', { returnId: id }, { ...key(), dryRun: true });
    const second = await run('createReturn', returnOf(order), key());
    const raise = [{ lineId: second?.body.lines[0]?.lineId, quantity: 1 }];
    await run('amendReturn', { returnId: second?.body.returnId, raise }, key());
    await run('reject', { returnId: second?.body.returnId, code: 'final_sale' }, key());
    await run('assignReturn', { returnId: second?.body.returnId, userId: (await putUser(stack())).userId }, key());
    await run('requestInfo', { returnId: id, message: 'worn?' }, key());
    await run('provideInfo', { returnId: id, message: 'no' }, key());
    await run('addNote', { returnId: id, text: 'friendly' }, key());
    await run('approve', { returnId: id }, key());
    const third = await run('createReturn', returnOf(order, 2), key());
    const [line] = third?.body.lines ?? [];
    const [returnId, one] = [third?.body.returnId, { lineId: line?.lineId, quantity: 1 }];
    await run('approve', { returnId }, key());
    const packed = await run('addParcel', { returnId, contents: [one] }, key());
    const [parcelId] = (packed?.body.parcels ?? []).map((parcel) => parcel.parcelId);
    await run('updateParcel', { returnId, parcelId, status: 'in_transit' }, { ifMatch: packed?.version });
    await run('receive', { returnId, parcelId }, key());
    await run('closeReceipt', { returnId }, key());
    await run('inspect', { returnId, lines: [{ ...one, outcome: 'accept' }] }, key());
    await run('grant', { returnId, lines: [{ ...one, of: 'missing' }], reason: 'goodwill' }, key());
    const reduction = { type: 'price_reduction', lineId: line?.lineId, amount: eur(1), reason: 'goodwill' };
    await run('compensate', { returnId, ...reduction }, key());
    const whole = await createReturn(service);
    await run('approve', { returnId: whole.id }, key());
    await run('receiveAndRefund', { returnId: whole.id }, key());
    const fourth = await createReturn(service);
    await run('approve', { returnId: fourth.id }, key());
    const newItem = { sku: 'SHIRT-L', quantity: 1 };
    const input = { returnId: fourth.id, lineId: fourth.answer.body.lines[0]?.lineId, quantity: 1, newItem };
    const exchanging = await run('exchange', input, key());
    const result = { returnId: fourth.id, exchangeId: exchanging?.body.exchanges[0]?.exchangeId, status: 'ordered' };
    await run('exchangeResult', result, key());
    expect(await run('cancel', { returnId: id }, { ...key(), ifMatch: '"6"' })).toMatchObject({
      body: { status: 'cancelled' },
    });
    expect(await run('getReturn', { returnId: id })).toMatchObject({ version: 7, body: { tags: ['vip'] } });
    const refunded = await overpaidReturn(service);
    expect(await run('recordRecovery', { returnId: refunded.id, amount: eur(400) }, key())).toMatchObject({
      body: { recoveryDue: eur(1600) },
    });
    await run('writeOffRecovery', { returnId: refunded.id, reason: 'goodwill' }, key());
    expect(await run('quoteReturn', { returnId: id })).toMatchObject({ body: { returnId: id, total: eur(0) } });
    // No units were received, so nothing is refundable.
    const fails = async (name: keyof typeof operations, input: object, code: string) => {
      expect((await invoke(name, { input, ...key() })).error?.errorType).toBe(code);
      done.push(name);
    };
    await fails('refund', { returnId: id }, 'invalid_transition');
    const refundId = 'rfd_00000000000000000000000000';
    await fails('recordRefundResult', { returnId: id, refundId, status: 'submitted' }, 'refund_not_found');
    await fails('remindRefund', { returnId: id }, 'invalid_transition');
    await fails('waiveFee', { returnId: id, type: 'restocking', reason: 'goodwill' }, 'invalid_transition');
    const fifth = await createReturn(service);
    const again = { returnId: fifth.id };
    await run('approve', again, key());
    const lines = [{ lineId: fifth.answer.body.lines[0]?.lineId, received: 1, accepted: 1 }];
    await run('correct', { ...again, reason: 'it came', lines }, key());
    await run('complete', { ...again, waive: { reason: 'a gift' } }, key());
    await run('reopen', { ...again, reason: 'not a gift' }, key());
    // Before the deadline, an expiry needs an admin. A direct invocation never is one.
    const sixth = await createReturn(service);
    await run('approve', { returnId: sixth.id }, key());
    await fails('expire', { returnId: sixth.id }, 'insufficient_scope');
    expect(await run('getHistory', { returnId: id, limit: 10 })).toMatchObject({ body: { nextCursor: null } });
    expect(await run('verifyHistory', { returnId: id })).toMatchObject({ body: { entries: 7, valid: true } });
    await run('addAttachment', { returnId: id, ...announcementOf(Buffer.from('a picture')) }, key());
    const seller = randomUUID();
    const document = documentFor(seller);
    const drafted = await run('createPolicy', { name: 'Standard', document }, key());
    const { policyId } = (drafted?.body ?? {}) as { policyId?: string };
    expect(await run('saveDraft', { policyId, document }, { ifMatch: 1 })).toMatchObject({ body: { status: 'draft' } });
    expect(await run('lintDraft', { policyId })).toMatchObject({ version: 2, body: { revision: 2 } });
    expect(await run('testDraft', { policyId })).toMatchObject({ body: { passed: true, cases: [] } });
    const shadowed = await run('shadowDraft', { policyId, enabled: true }, { ...key(), ifMatch: 2 });
    expect(shadowed).toMatchObject({ version: 2, body: { shadowed: true } });
    expect(await run('backtestDraft', { policyId, until: '2020-01-01T00:00:00Z' }, key())).toMatchObject({
      status: 201,
      body: { status: 'done', progress: { examined: 0 } },
    });
    expect(await run('createExport', { format: 'csv' }, key())).toMatchObject({ body: { kind: 'export' } });
    const started = await run('createBulk', { command: 'expire', items: [{ returnId: id }] }, key());
    const bulk = started?.body as unknown as Output<'createBulk'> | undefined;
    await run('getBulk', { jobId: bulk?.jobId });
    const waitingBulk = await lostBulk(stack(), id, bulk?.createdBy ?? { clientId: '' });
    expect(await run('cancelBulk', { jobId: waitingBulk }, key())).toMatchObject({ body: { status: 'cancelled' } });
    for (const name of ['countViews', 'listUsers'] as const) await run(name, {});
    expect(await run('eraseCustomer', { platform: 'web', customerId: id }, key())).toMatchObject({ status: 201 });
    const jobId = await waitingJob(stack());
    expect(await run('listJobs', { status: 'queued' })).toMatchObject({ body: { items: expect.any(Array) } });
    expect(await run('getJob', { jobId })).toMatchObject({ body: { status: 'queued' } });
    expect(await run('cancelJob', { jobId }, key())).toMatchObject({ body: { status: 'cancelled' } });
    expect(await run('publish', { policyId }, { ...key(), ifMatch: 2 })).toMatchObject({ version: 3 });
    expect(await run('saveDraft', { policyId, copyOf: 1 }, { ifMatch: 0 })).toMatchObject({ status: 201 });
    expect(await run('diffVersions', { policyId, from: 1, to: 2 })).toMatchObject({ body: { changes: [] } });
    expect(await run('getVersion', { policyId, version: 1 })).toMatchObject({ body: { status: 'published' } });
    expect(await run('listVersions', { policyId, limit: 1 })).toMatchObject({ body: { items: [{ version: 2 }] } });
    await Promise.all([run('listPolicies', { limit: 1 }), run('getPolicyText', { country: 'PT' })]);
    expect(await run('getPolicy', { policyId })).toMatchObject({ body: { inForce: 1, draft: 2 } });
    const request = { ...returnOf(await registerOrder(service, { seller })), initiatedBy: 'customer' };
    const decision = await run('createReturn', request, key());
    const { decisionId } = (decision?.body as { decision?: { decisionId?: string } } | undefined)?.decision ?? {};
    expect(await run('getDecision', { decisionId })).toMatchObject({ body: { policyId, reproduced: true } });
    await run('archive', { policyId }, key());
    expect(await run('listEvents', { start: 'now' })).toMatchObject({ body: { items: [] } });
    const code = ownCode();
    expect(await run('putReason', { code, ...reasonFacts }, { ifMatch: 0 })).toMatchObject({ status: 201, version: 1 });
    for (const name of ['listReasons', 'getSummary'] as const) await run(name, {});
    expect(await run('getAnalytics', { groupBy: 'day' })).toMatchObject({ body: { groupBy: 'day' } });
    await run('listInboxDeliveries', {});
    const deliveryKey = await parkedDelivery(stack(), mode);
    expect(await run('getInboxDelivery', { deliveryKey })).toMatchObject({ body: { body: { content: 'no JSON' } } });
    expect(await run('replay', { deliveryKey }, key())).toMatchObject({ body: { status: 'received' } });
    const range = { receivedFrom: '2026-01-01T00:00:00Z', receivedTo: '2026-01-02T00:00:00Z' };
    expect(await run('replayRange', range, key())).toMatchObject({ body: { replayed: 0 } });
    expect(await run('redrive', {}, { dryRun: true })).toMatchObject({ body: { dropped: expect.any(Array) } });
    const queue = 'inbox';
    expect(await run('redriveDeadLetters', { queue }, { dryRun: true })).toMatchObject({ body: { queue } });
    const created = await run('createWebhookEndpoint', { url: silent }, key());
    expect(created).toMatchObject({ status: 201, version: 1, body: { secret: expect.stringMatching(/^whsec_/) } });
    const { endpointId = '' } = (created?.body ?? {}) as { endpointId?: string };
    expect(await run('listWebhookEndpoints', {})).toMatchObject({ body: { nextCursor: null } });
    expect(await run('getWebhookEndpoint', { endpointId })).toMatchObject({ version: 1, body: { enabled: true } });
    expect(await run('rotateWebhookSecret', { endpointId }, key())).toMatchObject({ version: 2 });
    expect(await run('testWebhookEndpoint', { endpointId })).toMatchObject({
      body: { delivered: false, attempt: { error: 'connect' } },
    });
    const { eventId } = await putSent(stack(), endpointId);
    expect(await run('listWebhookDeliveries', { endpointId })).toMatchObject({ body: { items: [{ eventId }] } });
    expect(await run('getWebhookDelivery', { endpointId, eventId })).toMatchObject({ body: { status: 'failed' } });
    expect(await run('redeliverWebhook', { endpointId, eventId }, key())).toMatchObject({ body: { eventId } });
    const days = { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };
    expect(await run('redeliverWebhooks', { endpointId, ...days }, key())).toMatchObject({ body: { looked: 0 } });
    const disabled = await run('updateWebhookEndpoint', { endpointId, enabled: false }, { ifMatch: 2 });
    expect(disabled).toMatchObject({ version: 3, body: { disabled: { reason: 'requested' } } });
    expect(await run('deleteWebhookEndpoint', { endpointId }, { ifMatch: 3 })).toMatchObject({ version: 3 });
    for (const handle of [handleOutsideFacts, handleWithdrawals, handleWriteBack]) await handle(run);
    for (const name of ['health', 'asyncapi', 'openapi', 'listDeadLetters'] as const) await run(name, {});
    expect([...new Set(done)].toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it.each(shared('needs ifMatch where HTTP needs If-Match'))('%s', async () => {
    const { id } = await createReturn(service);
    const { error, problem } = await invoke('updateReturn', { input: { returnId: id, tags: [] } });
    expect(error?.errorType).toBe('precondition_required');
    expect(problem?.errors).toMatchObject([{ path: '/ifMatch', code: 'required' }]);
  });

  it('returns the same body as over HTTP', async () => {
    const { order, id } = await createReturn(service);
    const one = await service.get(`/returns/${id}`);
    const { reply } = await invoke('getReturn', { input: { returnId: id } });
    expect(reply).toEqual({ status: 200, body: one.body, version: 1 });
    expect(one.headers.get('etag')).toBe('"1"');
    const read = await service.get(orderPath(order as { platform: string; orderId: string }));
    expect((await invoke('getOrder', { input: order })).reply).toMatchObject({ status: 200, body: read.body });
  });

  it('fails as over HTTP, with the field errors at the paths of the event', async () => {
    const order = await registerOrder(service);
    const wrong = { ...returnOf(order), lines: [], tags: [''] };
    const [answer, { problem }] = [
      await service.post('/returns', wrong),
      await invoke('createReturn', { input: wrong, idempotencyKey: randomUUID() }),
    ];
    expect(problem).toEqual({
      ...answer.body,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      errors: answer.body.errors.map((fieldError) => ({ ...fieldError, path: `/input${fieldError.path}` })),
    });
    expect(answer.body.errors).toHaveLength(2);
  });

  it.each(
    shared(
      ['reason_unknown', { code: 'no.such' }, 1, 'reason/code'] as const,
      ['quantity_exceeds_returnable', { code: 'other' }, 4, 'quantity'] as const,
    ),
  )('throws an error whose name is %s', async (code, reason, quantity, member) => {
    const order = await registerOrder(service);
    const input = { order, lines: [{ orderLineId: '11', quantity, reason }] };
    const { error, problem } = await invoke('createReturn', { input, idempotencyKey: randomUUID() });
    expect(error).toMatchObject({ errorType: code, trace: [code] });
    expect(problem).toMatchObject({ code, status: errors[code], errors: [{ path: `/input/lines/0/${member}` }] });
    expect(error?.errorMessage).toBe(JSON.stringify(problem));
  });

  it.each(shared('throws invalid_transition with the allowed actions'))('%s', async () => {
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/reject`, { code: 'final_sale' });
    const { error, problem } = await invoke('approve', { input: { returnId: id }, idempotencyKey: randomUUID() });
    expect(error?.errorType).toBe('invalid_transition');
    expect(problem).toMatchObject({ status: 409, allowedActions: expect.any(Array) });
  });

  describe.each(shared('ifMatch'))('%s', () => {
    it.each([1, '"1"', '*'])('accepts %j', async (ifMatch) => {
      const { id } = await createReturn(service);
      const invocation = { input: { returnId: id }, idempotencyKey: randomUUID(), ifMatch };
      expect((await invoke('approve', invocation)).reply).toMatchObject({ status: 200, version: 2 });
    });

    it.each([7, '"7"'])('rejects %j, which is not the current version', async (ifMatch) => {
      const { id } = await createReturn(service);
      const invocation = { input: { returnId: id }, idempotencyKey: randomUUID(), ifMatch };
      expect((await invoke('approve', invocation)).problem).toMatchObject({
        code: 'version_mismatch',
        status: 412,
        errors: [{ path: '/ifMatch' }],
      });
    });
  });

  describe.each(shared('dryRun'))('%s', () => {
    it('needs no key, shows the result and stores nothing', async () => {
      const { id } = await createReturn(service);
      const { reply } = await invoke('approve', { input: { returnId: id }, dryRun: true });
      expect(reply).toMatchObject({ status: 200, body: { status: 'approved' } });
      expect((await service.get(`/returns/${id}`)).body).toMatchObject({ status: 'requested', version: 1 });
    });

    it.each([true, false])('is an unknown field for a read operation: %s', async (dryRun) => {
      const { id } = await createReturn(service);
      expect((await invoke('getReturn', { input: { returnId: id }, dryRun })).problem).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: '/dryRun', code: 'unknown_field' }],
      });
    });
  });

  describe('page of a history', () => {
    it.each(shared<number | string>(1, '1'))('has the length %j', async (limit) => {
      const { id } = await createReturn(service);
      await service.post(`/returns/${id}/approve`);
      const first = await invoke('getHistory', { input: { returnId: id, limit } });
      expect(first.reply?.body.items.map(({ sequence }) => sequence)).toEqual([1]);
      const cursor = first.reply?.body.nextCursor;
      const second = await invoke('getHistory', { input: { returnId: id, limit, cursor } });
      expect(second.reply?.body).toMatchObject({ items: [{ sequence: 2 }], nextCursor: null });
    });

    it('continues only for the same onBehalfOf', async () => {
      const { id } = await createReturn(service);
      await service.post(`/returns/${id}/approve`);
      const { nextCursor: cursor } = (await service.get(`/returns/${id}/history?limit=1`)).body;
      expect((await invoke('getHistory', { input: { returnId: id, cursor } })).problem).toMatchObject({
        code: 'invalid_cursor',
        errors: [{ path: '/input/cursor' }],
      });
    });
  });

  describe('idempotencyKey', () => {
    it('returns the first response to a repeat', async () => {
      const order = await registerOrder(service);
      const invocation = { input: returnOf(order), idempotencyKey: randomUUID() };
      const [first, again] = [await invoke('createReturn', invocation), await invoke('createReturn', invocation)];
      expect(again.reply).toEqual({ ...first.reply, replayed: true });
      expect(first.reply).not.toHaveProperty('replayed');
    });

    it.each(shared('fails for another request under the same key'))('%s', async () => {
      const order = await registerOrder(service);
      const idempotencyKey = randomUUID();
      await invoke('createReturn', { input: returnOf(order), idempotencyKey });
      const { problem } = await invoke('createReturn', { input: returnOf(order, 2), idempotencyKey });
      expect(problem).toMatchObject({ code: 'idempotency_key_reused', errors: [{ path: '/idempotencyKey' }] });
    });

    it('is separate from the keys of HTTP callers', async () => {
      const order = await registerOrder(service);
      const key = randomUUID();
      const one = await service.post('/returns', returnOf(order), { key });
      const { reply: two } = await invoke('createReturn', { input: returnOf(order), idempotencyKey: key });
      expect([one.status, two?.status]).toEqual([201, 201]);
      expect(two).not.toHaveProperty('replayed');
      expect(two?.body.returnId).not.toBe(one.body.returnId);
    });
  });

  it('stores the actor and the cause of an entry', async () => {
    const { id } = await createDirectly(invoke, { onBehalfOf: 'agent-7' });
    const call = { input: { returnId: id }, idempotencyKey: randomUUID(), onBehalfOf: 'agent-8' };
    const { requestId } = await invoke('approve', call);
    const { items } = (await service.get(`/returns/${id}/history`)).body;
    expect(items).toMatchObject([{ actor: actor(mode, 'agent-7') }, { actor: actor(mode, 'agent-8') }]);
    expect(items[1]?.correlationId).toMatch(/^[0-9a-f]{32}$/);
    // In connected mode, a request of the service itself is the cause.
    expect(items[1]?.causationId === requestId).toBe(mode === 'standalone');
  });
});
