import { randomUUID } from 'node:crypto';
import type { Output } from '../../../contract/contract.ts';
import type { Wait } from '../waits.ts';
import { type ApiRequest, codeIn, contentOf } from './call.ts';
import { openSteps, requestToken, type RunStep, sendApi, type Wanted } from './send.ts';
import type { Demo } from './step.ts';

/* The demo of an adapter: a return of the example service Devoluções, by the API of this bundle. */

/** An order that the service has. */
const orderId = 'PED-1';

const newReturn = {
  order: { orderId },
  lines: [{ orderLineId: '1', quantity: 2, reason: { code: 'tamanho_pequeno' } }],
};

type Send = (request: ApiRequest, wait: Wait) => Promise<unknown>;

const isCreation: Wanted = (event) =>
  event.type === 'called' && event.method === 'POST' && event.path === '/api/v2/devolucoes';

/** Requests a return twice with one idempotency key. The service gets one request. */
const createOnce = async (demo: Demo, send: Send, step: RunStep): Promise<string> => {
  const mark = demo.recorder.mark();
  const request: ApiRequest = { method: 'POST', path: '/returns', key: randomUUID(), body: newReturn };
  const create = async (wait: Wait) => ((await send(request, wait)) as Output<'createReturn'>).returnId;
  const id = await step(`Request a return of the order ${orderId}`, create, (created) => created);
  await step(
    'Send the same request again, with its idempotency key',
    async (wait) => {
      const repeated = await create(wait);
      if (repeated !== id) throw new Error(`the repeat created the return ${repeated}`);
      const { length } = demo.recorder.since(mark).filter(isCreation);
      if (length !== 1) throw new Error(`the service got ${length} requests`);
    },
    () => 'the service got one request',
  );
  return id;
};

type Status = Output<'getReturn'>['status'];

/** Sends a request about a return, and expects a status of that. */
const expectStatus = async (send: Send, request: ApiRequest, expected: Status, wait: Wait): Promise<Status> => {
  const { status } = (await send(request, wait)) as Output<'getReturn'>;
  if (status !== expected) throw new Error(`the return is ${status}`);
  return status;
};

/** Asks for an operation that the service does not have. */
const askForRefund = async (demo: Demo, token: string, path: string, wait: Wait): Promise<void> => {
  const answered = await sendApi(demo, token, { method: 'POST', path: `${path}/refunds`, body: {} }, wait);
  if (answered.status !== 501 || codeIn(answered) !== 'operation_not_offered')
    throw new Error(`a refund answered ${answered.status}`);
};

/**
 * Runs the demo of an adapter: a return is requested, approved and received at the example service. A step ends when all
 * involved servers have reported it.
 *
 * @returns the id of the return
 * @throws {StepError} for the first step that fails
 */
export const runAdapterDemo = async (demo: Demo): Promise<{ readonly id: string }> => {
  const start = Date.now();
  const { step, count } = openSteps(demo);
  const token = await step(
    'Get a token',
    (wait) => requestToken(demo, wait),
    () => 'for the client returns-admin',
  );
  const send: Send = async (request, wait) => contentOf(await sendApi(demo, token, request, wait));
  const id = await createOnce(demo, send, step);
  const path = `/returns/${id}`;
  const status = (title: string, request: ApiRequest, expected: Status) =>
    step(
      title,
      (wait) => expectStatus(send, request, expected, wait),
      (reached) => reached,
    );
  await status('Read it: the service says ABERTA', { method: 'GET', path }, 'requested');
  await status('Approve it', { method: 'POST', path: `${path}/approve`, body: {} }, 'approved');
  const receipt = { lines: [{ lineId: '1', quantity: 2 }] };
  await status(
    'Receive it: the service answers 202 first',
    { method: 'POST', path: `${path}/receipts`, body: receipt },
    'received',
  );
  await step(
    'List the returns of the order',
    async (wait) =>
      (await send({ method: 'GET', path: `/returns?orderNumber=${orderId}` }, wait)) as Output<'listReturns'>,
    ({ items }) => items.map(({ returnId }) => returnId).join(', '),
  );
  await step(
    'Ask for a refund, which the service does not have',
    (wait) => askForRefund(demo, token, path, wait),
    () => '501 operation_not_offered',
  );
  demo.progress.print(`All ${count()} steps done in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  return { id };
};
