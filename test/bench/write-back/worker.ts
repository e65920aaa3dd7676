import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { Agent, request } from 'undici';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { writeWriteBackSetting } from '../../../lib/store/write-back/settings.ts';
import { ours } from '../candidates.ts';
import { contextOf, loadHandler } from '../invoke.ts';
import { offer } from '../offer.ts';
import { quantile } from '../statistics.ts';

/* A process that asks the shop for refunds: by the built worker, or by a bare client that sends each once. */

/** More than a worker needs to begin an intent. */
const timeoutMs = 60_000;

type Site = { readonly apiUrl: string; readonly consumerKey: string; readonly consumerSecret: string };
type Ask = (orderId: string) => Promise<void>;

/** The worker, invoked with a message of the queue for each order. */
const built = async (): Promise<Ask> => {
  const handler = (await loadHandler(ours('standalone', 'writeBack').file)) as unknown as (
    event: object,
    context: Context,
  ) => Promise<{ readonly batchItemFailures: readonly object[] }>;
  return async (orderId) => {
    const body = JSON.stringify({ platform: 'woocommerce', orderId });
    const event = { Records: [{ messageId: orderId, body }] };
    const { batchItemFailures } = await handler(event, contextOf(Date.now() + timeoutMs));
    if (batchItemFailures.length > 0) throw new Error(`the worker has failed for the order ${orderId}`);
  };
};

/** One request for each order. It reads nothing, stores nothing, and knows nothing after a lost answer. */
const bare = ({ apiUrl, consumerKey, consumerSecret }: Site): Ask => {
  const dispatcher = new Agent();
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const items = [{ id: '311', quantity: 1, refund_total: '9.00', refund_tax: [] }];
  const body = JSON.stringify({ amount: '9.00', reason: 'Return', api_refund: true, line_items: items });
  return async (orderId) => {
    const url = `${apiUrl}/wp-json/wc/v3/orders/${orderId}/refunds`;
    const answer = await request(url, { method: 'POST', dispatcher, headers, body });
    await answer.body.json();
    if (answer.statusCode !== 201) throw new Error(`the site answered ${answer.statusCode}`);
  };
};

let ask: Ask | undefined;

const worker = {
  /** Loads a candidate: the built worker, or a bare client of a site. */
  load: async (site: Site | undefined) => void (ask = site === undefined ? await built() : bare(site)),
  /** Lets the shop be asked for refunds, and for nothing else. */
  enable: async () => {
    const updatedAt = new Date().toISOString();
    const dailyRefunds = [{ amount: 1_000_000_00, currency: 'USD' }];
    using session = openSession(Date.now() + timeoutMs);
    await transact(session, [
      writeWriteBackSetting({
        platform: 'woocommerce',
        version: 1,
        actions: { refund: 'on' },
        isStopped: false,
        dailyRefunds,
        updatedAt,
        updatedBy: { clientId: 'bench' },
      }),
    ]);
  },
  /** Asks for the refund of each order, and returns the consumption of a round. */
  run: async (orderIds: readonly string[]) => {
    const milliseconds: number[] = [];
    const before = process.cpuUsage();
    for (const orderId of orderIds) {
      const startedAt = performance.now();
      await ask?.(orderId);
      milliseconds.push(performance.now() - startedAt);
      await turn();
    }
    const { user, system } = process.cpuUsage(before);
    return { 'p50 ms': quantile(milliseconds, 0.5), 'CPU us': (user + system) / orderIds.length };
  },
};

export type Worker = typeof worker;

offer(worker);
