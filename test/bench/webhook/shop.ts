import { Agent, request } from 'node:http';
import { startShop, type Shop } from '../../../lib/tools/local/shop/shop.ts';
import { shopifyEntry } from '../../shops/platforms/platform-secret.ts';
import { offer } from '../offer.ts';
import { deliveryEventOf } from '../requests.ts';

/* Shopify in a process of its own: its Admin API, and its signed deliveries. */

/** A shop as in the platform's secret. */
export type ShopEntry = {
  readonly platform: string;
  readonly domain: string;
  readonly entry: { readonly webhookSecrets: readonly string[] };
};

type Signed = Pick<ReturnType<Shop['webhook']>, 'headers' | 'body'>;
type Load = { readonly origin: string; readonly deliveries: number; readonly atOnce: number };

let opened: Shop | undefined;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Returns a delivery for an order, or for one of its own. */
const sign = (sold?: readonly string[]): Signed => {
  if (opened === undefined) throw new Error('the shop is not open');
  return opened.webhook((sold ?? opened.orderIds)[0] ?? '', { quantity: 1 });
};

/** Returns the status and the length of the answer's body. */
const post = (origin: string, { headers, body }: Signed): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = `${origin}/webhooks/shopify`;
    const length = { 'content-length': String(body.length) };
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(`${response.statusCode} of ${bytes} bytes`)).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });

const shop = {
  /** Opens the shop, and returns its entry in the platform's secrets. */
  open: async (): Promise<ShopEntry> => {
    opened = await startShop({ port: 0 });
    return { platform: 'shopify', domain: opened.shopDomain, entry: shopifyEntry(opened) };
  },
  /** Posts this number of deliveries, concurrently, and returns the milliseconds of each answer. */
  send: async ({ origin, deliveries, atOnce }: Load) => {
    const waiting = Array.from({ length: deliveries }, () => sign());
    const milliseconds: number[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const startedAt = performance.now();
        const answer = await post(origin, next);
        milliseconds.push(performance.now() - startedAt);
        if (answer !== '200 of 0 bytes') throw new Error(`a delivery was answered ${answer}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return milliseconds;
  },
  /** Returns the statuses of a delivery and of the same with a changed body. */
  probe: async (origin: string) => {
    const { headers, body } = sign();
    const bent = await post(origin, { headers, body: Buffer.concat([body, Buffer.from(' ')]) });
    return { good: await post(origin, { headers, body }), bent: bent.slice(0, 3) };
  },
  /** Returns this number of events, each with a delivery for an order of its own. */
  deliveries: async (count: number) =>
    Array.from({ length: count }, () => {
      const { headers, body } = sign(opened?.sell(1));
      return JSON.stringify(deliveryEventOf(headers, body));
    }),
};

export type ShopProcess = typeof shop;

offer(shop, async () => opened?.close());
