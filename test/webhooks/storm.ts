import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Output } from '../../lib/contract/contract.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { api } from '../support/api.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { Signed } from './support.ts';

type Ours = Output<'getReturn'>;

/** The remaining moves of a return in the shop, and the expected end state of ours. */
export type Life = {
  readonly orderId: string;
  readonly moves: (() => Signed)[];
  readonly end: { readonly status: Ours['status']; readonly received: number; readonly refunds: number };
};

/** Returns a random course of a return. */
export const lifeOf = ({ shop }: Pick<OwnStack, 'shop'>, orderId: string, random: () => number): Life => {
  const units = shop.order(orderId).lines[0]?.quantity ?? 1;
  const isStaff = random() < 0.2;
  const request = isStaff ? undefined : shop.webhook(orderId, { quantity: units });
  const gid = request?.returnGid ?? shop.makeReturn(orderId, { quantity: units });
  const begin = request === undefined ? [] : [() => request];
  const move = (what: Parameters<typeof shop.move>[1]) => () => shop.move(gid, what);
  const fate = random();
  if (!isStaff && fate < 0.1) {
    const decline = move({ do: 'decline', reason: 'FINAL_SALE' });
    return { orderId, moves: [...begin, decline], end: { status: 'rejected', received: 0, refunds: 0 } };
  }
  if (fate < 0.2)
    return {
      orderId,
      moves: [...begin, move({ do: 'cancel' })],
      end: { status: 'cancelled', received: 0, refunds: 0 },
    };
  const arrived = fate < 0.4 && units > 1 ? units - 1 : units;
  const moves = [
    ...begin,
    ...(isStaff ? [] : [move({ do: 'approve' })]),
    move({ do: 'attach', number: `JD${gid.replaceAll(/\D/g, '')}` }),
    ...Array.from({ length: arrived }, () => move({ do: 'dispose', type: 'RESTOCKED', quantity: 1 })),
    () => shop.refund(orderId, gid, { amount: '1.00', subtotal: '1.00', quantity: arrived }),
    move({ do: 'close' }),
    ...(fate > 0.8 ? [move({ do: 'reopen' }), move({ do: 'close' })] : []),
  ];
  return { orderId, moves, end: { status: 'completed', received: arrived, refunds: 1 } };
};

const take = <Item>(items: Item[], random: () => number): Item | undefined =>
  items.splice(Math.floor(random() * items.length), 1)[0];

/**
 * Returns the next delivery of all events in the shop.
 * Each return moves in its own order. Deliveries arrive in any order, and a fifth of them twice.
 */
export const weather = (lives: readonly Life[], random: () => number) => {
  const living = lives.filter(({ moves }) => moves.length > 0);
  const waiting: Signed[] = [];
  let created = 0;
  return {
    next: (): Signed | undefined => {
      while (living.length > 0 && (waiting.length < 200 || random() < 0.5)) {
        const index = Math.floor(random() * living.length);
        const life = living[index];
        const delivery = life?.moves.shift()?.();
        if (life?.moves.length === 0) living.splice(index, 1);
        if (delivery === undefined) continue;
        created += 1;
        waiting.push(delivery, ...(random() < 0.2 ? [delivery] : []));
      }
      return take(waiting, random);
    },
    again: (delivery: Signed) => void waiting.push(delivery),
    made: () => created,
  };
};

const senders = 12;

/** Seconds for which the queue hides a message. A dead worker's messages are visible again after them. */
const usually = 360;

/** Posts a delivery and returns the duration of the answer in ms. */
export const post = async (url: string, { headers, body }: Signed): Promise<number | undefined> => {
  const began = performance.now();
  const response = await fetch(url, { method: 'POST', headers, body: Uint8Array.from(body) }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  return response?.status === 200 ? performance.now() - began : undefined;
};

/** Sends all deliveries, and repeats those without an answer, as shops do. */
const deliverAll = async (
  stack: OwnStack,
  sky: ReturnType<typeof weather>,
  total: number,
  hide: (seconds?: number) => Promise<unknown>,
): Promise<number[]> => {
  const took: number[] = [];
  let killed: Promise<void> | undefined;
  await hide();
  const kill = async () => {
    await stack.connected.kill();
    // Lambda rejects a queue whose visibility timeout is shorter than the timeout of its function.
    await hide(usually);
    await stack.connected.start();
    await hide();
  };
  const send = async () => {
    for (let delivery = sky.next(); delivery !== undefined; delivery = sky.next()) {
      const ms = await post(stack.info.webhooks.shopify.url, delivery);
      if (ms === undefined) {
        sky.again(delivery);
        await killed;
        continue;
      }
      took.push(ms);
      if (took.length >= total / 2) killed ??= kill();
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  await killed;
  return took.toSorted((one, other) => one - other);
};

const open = async (stack: OwnStack): Promise<boolean> => {
  const { get } = api('connected', stack.info);
  const answers = await Promise.all(
    ['received', 'failed'].map(async (status) => get(`/inbox/deliveries?status=${status}&limit=1`)),
  );
  return answers.some(({ body }) => (body as unknown as Output<'listInboxDeliveries'>).items.length > 0);
};

const settled = async (stack: OwnStack, sweep: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    const run = stack.next(
      (event) => event.type === 'invoked' && event.source === 'connected' && event.function === 'process',
    );
    if (!(await open(stack))) return;
    await sweep();
    await run;
  }
};

/** Returns the difference between a return of ours and the end of its life in the shop. */
export const faultOf = async ({ info }: Pick<OwnStack, 'info'>, { orderId, end }: Life): Promise<string[]> => {
  const { get } = api('standalone', info);
  const { items } = (await get(`/returns?platform=shopify&orderId=${orderId}`))
    .body as unknown as Output<'listReturns'>;
  const [only] = items;
  if (only === undefined || items.length > 1) return [`order ${orderId} has ${items.length} returns`];
  const { status, lines, refunds } = (await get(`/returns/${only.returnId}`)).body as unknown as Ours;
  const stands = {
    status,
    received: lines.reduce((sum, { quantities }) => sum + quantities.received, 0),
    refunds: refunds.length,
  };
  return JSON.stringify(stands) === JSON.stringify(end)
    ? []
    : [`${only.returnId} is ${JSON.stringify(stands)} instead of ${JSON.stringify(end)}`];
};

/** How a storm hides messages of a worker, and enqueues deliveries of a receiver that died. */
type Recovery = {
  /** Seconds for which the queue hides a message while deliveries arrive. */
  readonly hideSeconds: number;
  /** Enqueues deliveries that reached no worker. */
  readonly sweep: () => Promise<unknown>;
};

/**
 * Sends shuffled deliveries to the connected mode, a fifth of them twice, and returns the failures.
 * The connected mode is killed halfway and restarted. The check runs when all deliveries are settled.
 */
export const weatherStorm = async (
  stack: OwnStack,
  deliveries: number,
  random: () => number,
  { hideSeconds, sweep }: Recovery,
) => {
  const { aws } = stack.info;
  const sqs = new SQSClient({ ...clientSettings, endpoint: aws.sqs });
  const hide = async (seconds = hideSeconds) =>
    sqs.send(
      new SetQueueAttributesCommand({
        QueueUrl: aws.queues['connected.InboxQueue'],
        Attributes: { VisibilityTimeout: String(seconds) },
      }),
    );
  // A return has nearly six moves on average, and one more for its repeated deliveries.
  const orderIds = stack.shop.sell(Math.ceil(deliveries / 6.9));
  const lives = orderIds.map((orderId) => lifeOf(stack, orderId, random));
  const took = await deliverAll(stack, weather(lives, random), deliveries, hide);
  await settled(stack, sweep);
  const faults: string[] = [];
  for (const life of lives) faults.push(...(await faultOf(stack, life)));
  const dead = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: aws.queues['connected.InboxDeadLetters'],
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  const deadCount = dead.Attributes?.['ApproximateNumberOfMessages'];
  if (deadCount !== '0') faults.push(`${deadCount} messages in the DLQ`);
  sqs.destroy();
  const at = (share: number) => Math.round(took[Math.floor(took.length * share)] ?? 0);
  return { faults, returns: lives.length, deliveries: took.length, ms: { p50: at(0.5), p99: at(0.99) } };
};
