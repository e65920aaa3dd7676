import { randomUUID } from 'node:crypto';
import type { Output } from '../../../contract/contract.ts';
import type { SecretsCalled } from '../events.ts';
import type { Stack } from '../stack.ts';
import type { Wait } from '../waits.ts';
import { type ApiRequest, assertSuccess, call, callApi, contentOf } from './call.ts';
import { isAnswer, openSteps, requestToken, type RunStep, sendApi, sendReported, type Wanted } from './send.ts';
import type { Demo } from './step.ts';
import { historyRows } from './timeline.ts';

/** Identifies the endpoints of earlier starts, whose receiver and secret no longer exist. */
const description = 'The receiver of the local stack';

/** Subscribes the receiver of the stack in connected mode, and deletes the endpoints of earlier starts. */
const subscribe = async (
  { info, receiver }: Stack,
  token: string,
  eventTypes: readonly string[],
  wait: Wait,
): Promise<void> => {
  const path = '/webhook-endpoints';
  const send = (request: ApiRequest) => callApi({ url: info.connected.url, token }, request, wait);
  const { items } = contentOf(await send({ method: 'GET', path })) as Output<'listWebhookEndpoints'>;
  for (const { endpointId } of items.filter((endpoint) => endpoint.description === description)) {
    const deleted = await send({ method: 'DELETE', path: `${path}/${endpointId}` });
    // A repeat of a deletion whose answer was lost finds no endpoint.
    if (deleted.status !== 404) assertSuccess(deleted);
  }
  const body = { url: receiver.url, eventTypes, description };
  const { secret } = contentOf(await send({ method: 'POST', path, body })) as Output<'createWebhookEndpoint'>;
  if (secret === undefined) throw new Error('the response has no secret');
  receiver.trust(secret);
};

const isSuccess = (status: number): boolean => status < 300;

const postWebhook = async (demo: Demo, wait: Wait): Promise<void> => {
  const { info, shop } = demo.stack;
  const { url, orderIds } = info.webhooks.shopify;
  const [orderId] = orderIds;
  if (orderId === undefined) throw new Error('the shop has no orders');
  const { headers, body } = shop.webhook(orderId);
  const method = 'POST';
  const send = () => call(url, { method, headers, body: new Uint8Array(body) }, wait);
  assertSuccess(await sendReported(demo, { method, path: new URL(url).pathname }, send, wait));
};

const isSharedToken = ({ action, secretId }: SecretsCalled): boolean =>
  action === 'GetSecretValue' && /-Shared\w+Token-/.test(secretId);

/** A function obtained a token, or read the shared token that the refresher obtained earlier. */
const hadToken: Wanted = (event) =>
  (event.type === 'token' || (event.type === 'secret' && isSharedToken(event))) && event.status === 200;

const isCreation = isAnswer('standalone', 'POST', '/v1/returns', isSuccess);

/** The events that processing must cause, each with the state before it. */
const consequences: readonly (readonly [string, Wanted])[] = [
  ['SQS has delivered no message', ({ type }) => type === 'batch'],
  ['the order is not fetched from the shop', ({ type }) => type === 'graphql'],
  [
    'the client secret is not read',
    (event) => event.type === 'secret' && event.secretId === 'returns/client' && event.status === 200,
  ],
  ['no token is obtained', hadToken],
  ['the order is not registered', isAnswer('standalone', 'PUT', /^\/v1\/orders\//, isSuccess)],
  ['the return is not created', isCreation],
  [
    'the function process has not succeeded',
    (event) => event.type === 'invoked' && event.function === 'process' && event.error === undefined,
  ],
];

/** Waits until the delivery has created a return in the service, and returns the id of that return. */
const awaitReturn = async ({ recorder }: Demo, from: number, { note, progress, signal }: Wait): Promise<string> => {
  for (const [state, wanted] of consequences) {
    note(state);
    await recorder.next(from, wanted, signal);
    progress();
  }
  const created = recorder.since(from).find(isCreation);
  const location = created?.type === 'answered' ? created.location : undefined;
  const id = /^\/v1\/returns\/([^/]+)$/.exec(location ?? '')?.[1];
  if (id === undefined) throw new Error(`the Location header names no return: ${location}`);
  return id;
};

/** Waits until the receiver has verified the event of the approval of a return. */
const awaitApproval = async ({ recorder }: Demo, id: string, { note, progress, signal }: Wait): Promise<void> => {
  note('the receiver got no return.approved');
  const isApproval: Wanted = (event) =>
    event.type === 'webhook' && event.event?.subject === id && event.event.type.endsWith('.return.approved');
  await recorder.next(0, isApproval, signal);
  progress();
};

/** The platforms whose webhooks are accepted, as the parameter names them. */
const platformsOf = ({ stack }: Demo): readonly string[] =>
  (stack.info.parameters.connected['Platforms'] ?? 'shopify').split(',');

const fromShop = async (demo: Demo, from: number, step: RunStep): Promise<string> => {
  await step(
    'The shop sends a signed webhook: a customer returns goods',
    (wait) => postWebhook(demo, wait),
    () => 'HTTP 200',
  );
  return step(
    'The delivery becomes a return in the service',
    (wait) => awaitReturn(demo, from, wait),
    (id) => id,
  );
};

type Send = (request: ApiRequest, wait: Wait) => Promise<unknown>;

/** Creates the order and the return by the API, for platforms without a local shop. */
const fromApi = async (platform: string, send: Send, step: RunStep): Promise<string> => {
  const orderId = `demo-${randomUUID()}`;
  const line = { lineId: '1', sku: 'SHIRT-M', quantity: 1, unitPrice: { amount: 1999, currency: 'EUR' } };
  const facts = { currency: 'EUR', observedAt: new Date().toISOString(), lines: [line] };
  await step(
    `Register an order of ${platform} in connected mode`,
    (wait) => send({ method: 'PUT', path: `/orders/${platform}/${orderId}`, body: facts }, wait),
    () => 'HTTP 201',
  );
  const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
  const request: ApiRequest = { method: 'POST', path: '/returns', body: { order: { platform, orderId }, lines } };
  return step(
    'Request a return of it in connected mode',
    async (wait) => ((await send(request, wait)) as Output<'createReturn'>).returnId,
    (id) => id,
  );
};

const isWarm: Wanted = (event) =>
  event.type === 'invoked' && event.source === 'connected' && event.function === 'getReturn' && !event.cold;

/** Reads a return twice. The second time the container reuses its token. */
const readTwice = async ({ stack, recorder }: Demo, path: string, send: Send, wait: Wait): Promise<void> => {
  await send({ method: 'GET', path }, wait);
  const before = stack.tokenRequests();
  const mark = recorder.mark();
  await send({ method: 'GET', path }, wait);
  const after = stack.tokenRequests();
  await recorder.next(mark, isWarm, wait.signal);
  await recorder.next(mark, isAnswer('standalone', 'GET', `/v1${path}`), wait.signal);
  if (after !== before) throw new Error(`a warm invocation requested a token: ${before} before, ${after} after`);
};

/**
 * Runs the demo on a new order of the shop. A customer's return reaches the service and is approved, and an endpoint
 * receives the event. A step ends when all involved servers have reported it.
 *
 * @returns the id of the return, and the token that created it
 * @throws {StepError} for the first step that fails
 */
export const runDemo = async (demo: Demo): Promise<{ readonly id: string; readonly token: string }> => {
  const { stack, recorder, progress, verbose } = demo;
  const start = Date.now();
  const { step, count } = openSteps(demo);
  const token = await step(
    'Get a token',
    (wait) => requestToken(demo, wait),
    () => 'for the client returns-admin',
  );
  const send: Send = async (request, wait) => contentOf(await sendApi(demo, token, request, wait));
  await step(
    'Subscribe a webhook endpoint to approvals',
    (wait) => subscribe(stack, token, ['return.approved'], wait),
    () => 'return.approved',
  );
  const from = recorder.mark();
  const platforms = platformsOf(demo);
  const id = await (platforms.includes('shopify')
    ? fromShop(demo, from, step)
    : fromApi(platforms[0] ?? 'shopify', send, step));
  const path = `/returns/${id}`;
  await step(
    'Approve the return in connected mode',
    async (wait) => {
      const request: ApiRequest = { method: 'POST', path: `${path}/approve`, body: {} };
      const { status } = (await send(request, wait)) as Output<'approve'>;
      if (status !== 'approved') throw new Error(`the return is ${status}`);
    },
    () => 'approved',
  );
  await step(
    'The endpoint receives the event',
    (wait) => awaitApproval(demo, id, wait),
    () => 'signature verified',
  );
  const { items } = await step(
    'Read the history',
    async (wait) => (await send({ method: 'GET', path: `${path}/history` }, wait)) as Output<'getHistory'>,
    (history) => history.items.map(({ type }) => type).join(', '),
  );
  if (verbose) progress.print(...historyRows(items));
  await step(
    'Read the return twice',
    (wait) => readTwice(demo, path, send, wait),
    () => 'the warm container requests no token',
  );
  progress.print(`All ${count()} steps done in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  return { id, token };
};
