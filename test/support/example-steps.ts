import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { contract, type Output } from '../../lib/contract/contract.ts';
import { at, customer, facts, ref, returnId } from '../../lib/contract/example-story.ts';
import { bulk, from, job } from '../../lib/contract/jobs/examples.ts';
import { approval, document, policy, rule } from '../../lib/contract/policies/examples.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { standardCases } from '../../lib/domain/policies/templates/standard-cases.ts';
import { decodeInboxKey, encodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import { hooksOf } from '../webhooks/support.ts';
import { daysAgo } from './decided-shop.ts';
import { parkedDelivery } from './deliveries.ts';
import type { Player } from './examples.ts';
import { putIntent } from './intents.ts';
import { lostBulk, waitingJob } from './jobs.ts';
import { lambda } from './lambda.ts';
import type { OwnStack } from './own-stack.ts';
import { putSent } from './webhook-endpoints.ts';

/* Steps of a story that are no example: they prepare the state that an example shows. */

type World = { readonly stack: OwnStack; readonly story: Player };
export type Step = (world: World) => Promise<unknown>;

/** Ids of the examples. */
export const exampleIds = {
  endpointId: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3',
  eventId: 'evt_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
  decisionId: 'dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  withdrawalId: 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5',
  intentId: 'wbi_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
};

/** A cursor of listEvents that no example shows. */
export const lastCursor = 'the last cursor';

/** Repeats an attempt after each run of a function until it has a result. */
const afterRuns = async <Found>(
  { stack }: World,
  name: string,
  attempt: () => Promise<Found | undefined>,
): Promise<Found> => {
  for (;;) {
    const run = stack.next((event) => event.type === 'invoked' && event.function === name);
    const found = await attempt();
    if (found !== undefined) return found;
    await run;
  }
};

/** Invokes a function of the table's stream with a changed item of the example return. */
const streamed =
  (name: string, sk: string): Step =>
  async ({ stack, story }) => {
    const Keys = { pk: { S: `RETURN#${story.real(returnId)}` }, sk: { S: sk } };
    const event = { Records: [{ eventName: 'MODIFY', dynamodb: { Keys, SequenceNumber: '1' } }] };
    const { error } = await lambda('standalone', stack.info)(name, event);
    if (error !== undefined) throw new Error(`${name}: ${error.errorMessage}`);
  };

/** Publishes the events of the return, and sends them to the webhook endpoints. */
export const publishEvents = streamed('publishEvents', 'EVENT');
/** Includes the return in the statistics. */
export const countReturns = streamed('countReturns', 'SNAPSHOT');

/** Moves the period of getAnalytics to the present. */
export const bindPeriod: Step = async ({ story }) => {
  story.bind('2026-11-01', daysAgo(29).slice(0, 10));
  story.bind('2026-11-30', daysAgo(-1).slice(0, 10));
};

/** Waits until the webhook endpoint has received an event. */
export const eventDelivered: Step = async (world) =>
  afterRuns(world, 'deliverEvents', async () => {
    const { items } = await world.story.send('listWebhookDeliveries', { parameters: { from: at.requested } });
    return items.find(({ status }) => status === 'delivered');
  });

/** Stores deliveries of three events in the period of the example. One of them failed. */
export const pastDeliveries: Step = async ({ stack, story }) => {
  for (const status of ['delivered', 'failed', 'delivered'] as const)
    await putSent(stack.info, story.real(exampleIds.endpointId), { status, updatedAt: at.decided });
};

/** Reads the present end of the list of events. */
export const readLastCursor: Step = async ({ story }) => {
  const { nextCursor } = await story.send('listEvents', { parameters: { start: 'now' } });
  story.bind(lastCursor, nextCursor);
};

/** The facts of the example order, which was delivered some days ago. */
const deliveredOrder = (days: number) => ({
  ...facts,
  customer,
  lines: facts.lines.map((line) => ({ ...line, deliveries: [{ quantity: line.quantity, at: daysAgo(days) }] })),
});

/** Creates the example return some days after the delivery, for a policy to decide on. */
export const decidedReturn =
  (days: number): Step =>
  async ({ story }) => {
    await story.send('registerOrder', { body: deliveredOrder(days) });
    const { decision } = await story.send('createReturn');
    story.bind(exampleIds.decisionId, decision?.decisionId ?? 'no decision');
  };

/** Creates a return of another order some days after the delivery, for a policy to decide on. */
export const otherDecidedReturn =
  (days: number): Step =>
  async ({ story }) => {
    const order = { ...ref, orderId: `${story.real(ref.orderId)}-2` };
    await story.send('registerOrder', { body: deliveredOrder(days), parameters: order });
    await story.send('createReturn', { body: { ...(contract.createReturn.example.body as object), order } });
  };

/** Lets the backtest examine the decisions from now on, because other stories have decisions too. */
export const bindBacktestStart: Step = async ({ story }) => story.bind(from, new Date().toISOString());

/** Waits for the end of a job. */
export const jobEnded =
  (jobId: string): Step =>
  async (world) =>
    afterRuns(world, 'runJob', async () => {
      const { status } = await world.story.send('getJob', { parameters: { jobId } });
      return status === 'queued' || status === 'running' ? undefined : status;
    });

/** Creates the example backtest without a message for a worker, so that no worker starts it. */
export const waitingBacktest: Step = async ({ stack, story }) =>
  story.bind(job.jobId, await waitingJob(stack.info, { request: job.request }));

/** Creates a second bulk job of the caller without a message for a worker, so that no worker starts it. */
export const waitingBulk: Step = async ({ stack, story }) => {
  const { createdBy } = await story.send('createBulk');
  story.bind(bulk.jobId, await lostBulk(stack.info, story.real(returnId), createdBy));
};

const createPolicy =
  (changes: object): Step =>
  async ({ story }) =>
    story.send('createPolicy', { body: { name: policy.name, document: { ...document, ...changes } } });

/** Creates a policy with a rule for a reason that does not exist. */
export const policyWithUnknownReason = createPolicy({
  rules: [{ ...rule(30), when: { fact: 'line.reason', op: 'in', value: ['fit.too_tight'] } }, approval],
});

/** Creates a policy that allows more days than its golden case. */
export const policyWithFailedCase = createPolicy({
  rules: [rule(60), approval],
  goldenCases: standardCases
    .filter(({ name }) => name === 'A shirt comes too late')
    .map(({ facts: known }) => ({ name: 'A shirt comes late', facts: known, expect: { verdict: 'rejected' } })),
});

const label = { type: 'return_shipping', amount: { amount: 490, currency: 'EUR' } };

/** Creates a policy with a fee. */
export const policyWithFee = createPolicy({
  rules: [{ id: 'label', phase: 'fee', text: 'The label costs 4.90.', fee: label }, approval],
});

const { output: delivery } = contract.getInboxDelivery.example as { readonly output: Output<'getInboxDelivery'> };

/** The parameters of the example delivery. */
export const inbound = { platform: delivery.platform, deliveryKey: delivery.deliveryKey };

/** Sends a webhook of the shop, and waits until it is processed. */
export const webhookProcessed: Step = async ({ stack, story }) => {
  const hooks = hooksOf(stack, 'standalone');
  const [orderId = ''] = stack.shop.sell(1);
  const { headers, body } = stack.shop.webhook(orderId, { quantity: 1 });
  const deliveryId = headers['x-shopify-webhook-id'] ?? '';
  await hooks.deliver({ headers, body });
  const [row = {}] = await hooks.settled(deliveryId);
  story.bind(ref.orderId, orderId);
  story.bind(returnId, String(row['returnId']));
  story.bind(delivery.source, stack.shop.shopDomain);
  story.bind(delivery.deliveryId, deliveryId);
  story.bind(delivery.deliveryKey, encodeInboxKey(String(row['pk'])));
  if ('content' in delivery.body) story.bind(delivery.body.content, body.toString());
};

/** Names a contract of this story, because equal declarations get the first withdrawal. The receipt is sent now. */
export const ownDeclaration: Step = async ({ story }) => {
  story.bind('#1001', `#${randomUUID()}`);
  story.bind(at.decided, new Date().toISOString());
};

/** Stores parked deliveries in the period of the example. */
export const parkedDeliveries =
  (count: number): Step =>
  async ({ stack: { info } }) => {
    for (let one = 0; one < count; one += 1) await parkedDelivery(info, 'standalone', { receivedAt: at.decided });
  };

/** The refund of the example intent. No response of a return names it. */
const refundId = 'rfd_01KAJ3V9Z8QW4T6R2M5N7P0XYC';

/** Stores a parked refund of the example return. */
export const parkedRefund: Step = async ({ stack: { info }, story }) => {
  const order = { ...ref, orderId: story.real(ref.orderId) };
  const intent = { version: 3, order, returnId: story.real(returnId), refundId, plannedAt: at.decided };
  const { id } = await putIntent(info, intent);
  story.bind(exampleIds.intentId, id);
};

/** Stores approvals of a shop on shadow: people did two of them in time, and one not. */
export const shadowedApprovals: Step = async ({ stack: { info } }) => {
  const order = { platform: 'shopify', orderId: '5003' };
  const absent = { refundId: undefined, shop: undefined, askedAt: undefined, reason: undefined };
  const ended = {
    ...absent,
    version: 2,
    order,
    action: 'approve',
    status: 'confirmed',
    requests: 0,
    by: 'shop',
  } as const;
  for (const shadow of ['agreed', 'agreed', 'not_done'] as const) await putIntent(info, { ...ended, shadow });
};

/** Puts failed deliveries into the dead-letter queue, and one delivery that was settled since. */
export const deadLetters =
  (count: number): Step =>
  async ({ stack: { info }, story }) => {
    const failed = { status: 'failed', lastError: 'shop_status_503', attempts: 400 } as const;
    const settled = await parkedDelivery(info, 'standalone', { status: 'done' });
    story.bind(delivery.deliveryKey, settled);
    const keys = [settled];
    for (let one = 0; one < count; one += 1) keys.push(await parkedDelivery(info, 'standalone', failed));
    const sqs = new SQSClient({ ...clientSettings, endpoint: info.aws.sqs });
    const reason = { DataType: 'String', StringValue: failed.lastError };
    for (const key of keys)
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: info.aws.queues['standalone.InboxDeadLetters'],
          MessageBody: JSON.stringify({ key: decodeInboxKey(key) }),
          MessageAttributes: { reason },
        }),
      );
    sqs.destroy();
  };
