import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { serviceRequest } from '../../lib/access/client/outgoing.ts';
import { contract, type OperationName, type Output } from '../../lib/contract/contract.ts';
import { toOperation } from '../../lib/contract/entry.ts';
import * as operations from '../../lib/contract/operations.ts';
import { operationRows } from '../../lib/tools/template/functions/operations.ts';
import { userNames } from '../../lib/tools/template/permissions/table.ts';
import { announcementOf } from '../support/attachments.ts';
import { eur } from '../support/orders.ts';
import { ownPlatform } from '../support/intent-writes.ts';
import { putIntent } from '../support/intents.ts';
import { documentFor } from '../support/policies.ts';
import { returnOf, shopOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { ampleDeadline } from '../support/time.ts';
import { signedToken, webUrl } from '../support/users.ts';

type Options = { readonly idempotencyKey?: string; readonly ifMatch?: number };
type ReturnBody = Output<'getReturn'>;

const key = (): Options => ({ idempotencyKey: randomUUID() });

/** Sends a request of a user whose name no function has stored before. It must succeed. */
const send = async (name: OperationName, input: object, options: Options = {}) => {
  const request = serviceRequest(`${webUrl('standalone')}/v1`, toOperation(name, contract[name]), input, {
    ...options,
    dryRun: false,
    traceId: randomUUID().replaceAll('-', ''),
    deadline: ampleDeadline(),
    scopes: [],
  });
  if (!request.ok) throw new Error(`${name} cannot be sent`);
  const { url, method, headers, body } = request.value;
  const token = await signedToken({ sub: `user-${randomUUID()}`, name: 'Marker Employee' });
  const response = await fetch(url, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  });
  const answer = (await response.json()) as object;
  expect({ name, status: response.status, answer }).toMatchObject({ status: expect.toSatisfy((one) => one < 300) });
  const version = Number(/\d+/.exec(response.headers.get('etag') ?? '')?.[0]);
  return { status: response.status, version, body: answer };
};

/** Returns the permissions of an operation's function, as a text. */
const permissionsOf = (name: string): string => JSON.stringify(operationRows[name]?.permissions.standalone);

describe('operations that record a signed-in user', () => {
  it('are all operations except these', () => {
    const others = Object.values(operations).filter(
      ({ name, method }) => method !== 'GET' && !permissionsOf(name).includes(userNames),
    );
    expect(others.map(({ name }) => name).toSorted()).toEqual([
      'cancelBulk',
      'cancelJob',
      'createWebhookEndpoint',
      'deleteWebhookEndpoint',
      'findReturns',
      'lintDraft',
      'putReason',
      'quoteReturn',
      'redeliverWebhook',
      'redeliverWebhooks',
      'redrive',
      'redriveDeadLetters',
      'replay',
      'replayRange',
      'rotateWebhookSecret',
      'searchCustomers',
      'testDraft',
      'testWebhookEndpoint',
      'updateWebhookEndpoint',
    ]);
  });

  it('have roles that permit to store the name', async () => {
    const done = new Set<string>();
    const run = async (name: OperationName, input: object, options: Options = {}) => {
      const answer = await send(name, input, options);
      done.add(name);
      return answer;
    };
    const order = { platform: 'shopify', orderId: randomUUID() };
    const create = async (quantity = 1) =>
      (await run('createReturn', returnOf(order, quantity), key())).body as ReturnBody;
    await run('registerOrder', { ...order, ...shopOrder() });
    const { returnId: first } = await create();
    // Another report of the order re-evaluates the return, and records the user in its history.
    await run('registerOrder', { ...order, ...shopOrder({ observedAt: '2026-11-03T00:00:00Z' }) });
    await run('recordRefund', { ...order, externalId: '1', amount: eur(1), occurredAt: '2026-11-20T08:00:00Z' });
    const { body } = await send('getReturn', { returnId: first });
    await run('updateReturn', { returnId: first, tags: ['vip'] }, { ifMatch: (body as ReturnBody).version });
    await run('addNote', { returnId: first, text: 'friendly' }, key());
    await run('assignReturn', { returnId: first, userId: 'me' }, key());
    await run('addAttachment', { returnId: first, ...announcementOf(Buffer.from('a picture')) }, key());
    await run('reject', { returnId: first, code: 'final_sale' }, key());
    await run('reopen', { returnId: first, reason: 'a mistake' }, key());
    const { returnId, lines } = await create(2);
    await run('approve', { returnId }, key());
    const contents = [{ lineId: lines[0]?.lineId, quantity: 1 }];
    const packed = await run('addParcel', { returnId, contents, trackingNumber: 'T-1' }, key());
    const { parcels, version } = packed.body as ReturnBody;
    await run(
      'updateParcel',
      { returnId, parcelId: parcels[0]?.parcelId, trackingNumber: 'T-2' },
      { ifMatch: version },
    );
    await run('receive', { returnId, parcelId: parcels[0]?.parcelId }, key());
    await run('closeReceipt', { returnId }, key());
    await run('inspect', { returnId, lines: [{ lineId: lines[0]?.lineId, quantity: 1, outcome: 'accept' }] }, key());
    await run('refund', { returnId }, key());
    const document = documentFor();
    const { policyId } = (await run('createPolicy', { name: 'Of users', document }, key()))
      .body as Output<'getVersion'>;
    await run('saveDraft', { policyId, document }, { ifMatch: 1 });
    await run('shadowDraft', { policyId, enabled: true }, key());
    await run('backtestDraft', { policyId, until: '2020-01-01T00:00:00Z' }, key());
    await run('publish', { policyId }, key());
    await run('archive', { policyId }, key());
    await run('createBulk', { command: 'addNote', body: { text: 'read' }, items: [{ returnId }] }, key());
    await run('createExport', { format: 'csv', until: '2020-01-01T00:00:00Z' }, key());
    await run('eraseCustomer', { platform: 'web', customerId: randomUUID() }, key());
    // Staff decides where no law grants the right.
    const abroad = { platform: 'shopify', orderId: randomUUID() };
    await run('registerOrder', { ...abroad, ...shopOrder({ country: 'US' }) });
    const reason = { code: 'fit.too_small' };
    await run('importReturn', {
      source: 'loop',
      externalId: randomUUID(),
      status: 'requested',
      requestedAt: '2026-11-20T08:00:00Z',
      order: abroad,
      lines: [{ orderLineId: '11', quantity: 1, reason }],
    });
    const amended = { platform: 'shopify', orderId: randomUUID() };
    await run('registerOrder', { ...amended, ...shopOrder() });
    const few = (await run('createReturn', returnOf(amended, 1), key())).body as ReturnBody;
    const raise = [{ lineId: few.lines[0]?.lineId, quantity: 1 }];
    await run('amendReturn', { returnId: few.returnId, raise }, key());
    const declare = async () => {
      const content = { name: 'Ada', email: 'ada@example.com', contract: randomUUID() };
      const { body: declared } = await run('declareWithdrawal', content, key());
      return (declared as Output<'getWithdrawal'>).withdrawalId;
    };
    const withdrawalId = await declare();
    const sentAt = new Date().toISOString();
    await run('recordReceiptSent', { withdrawalId, sentAt, channel: 'email' }, key());
    await run('matchWithdrawal', { withdrawalId, order: abroad }, key());
    await run('answerWithdrawal', { withdrawalId, answer: 'no_right', rule: 'none', source: 'our terms' }, key());
    await run('withdrawWithdrawal', { withdrawalId: await declare(), reason: 'mistake' }, key());
    await run('setWriteBack', { platform: ownPlatform(), actions: {} }, { ifMatch: 0 });
    const { id: intentId } = await putIntent(stack());
    await run('resolveIntent', { intentId, outcome: 'not_done' }, key());
    const { id: retried } = await putIntent(stack());
    await run('retryIntent', { intentId: retried }, key());
    const kinds = new Set([...done].map(permissionsOf));
    const recording = Object.values(operations)
      .filter(({ name, method }) => method !== 'GET' && permissionsOf(name).includes(userNames))
      .map(({ name }) => name);
    expect(recording.length).toBeGreaterThan(40);
    expect(recording.filter((name) => !kinds.has(permissionsOf(name)))).toEqual([]);
  });
});
