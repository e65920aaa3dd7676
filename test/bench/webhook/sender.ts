import { Agent, request } from 'node:http';
import { startShop, type Shop } from '../../../lib/local/shop/shop.ts';
import { offer } from '../remote.ts';

/* Shopify as a sender: a process that posts signed deliveries and returns the duration of each answer. */

/** A shop as in the platform's secret. */
export type ShopEntry = {
  readonly domain: string;
  readonly entry: { readonly webhookSecrets: readonly string[]; readonly accessToken: string; readonly apiUrl: string };
};

export type Sender = {
  readonly open: (input: null) => Promise<ShopEntry>;
  /** Posts this number of deliveries, concurrently, and returns the milliseconds of each answer. */
  readonly send: (input: {
    readonly origin: string;
    readonly deliveries: number;
    readonly atOnce: number;
  }) => Promise<number[]>;
  /** Returns the statuses of a delivery and of the same with a changed body. */
  readonly probe: (input: { readonly origin: string }) => Promise<{ readonly good: string; readonly bent: string }>;
};

type Signed = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

let shop: Shop | undefined;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const sign = (): Signed => {
  if (shop === undefined) throw new Error('the shop is not open');
  return shop.webhook(shop.orderIds[0] ?? '', { quantity: 1 });
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

offer({
  open: async () => {
    shop = await startShop({ port: 0 });
    const { shopDomain: domain, webhookSecret, accessToken, url } = shop;
    return { domain, entry: { webhookSecrets: [webhookSecret], accessToken, apiUrl: url } };
  },
  send: async ({ origin, deliveries, atOnce }) => {
    const waiting = Array.from({ length: deliveries }, sign);
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
  probe: async ({ origin }) => {
    const { headers, body } = sign();
    const bent = await post(origin, { headers, body: Buffer.concat([body, Buffer.from(' ')]) });
    return { good: await post(origin, { headers, body }), bent: bent.slice(0, 3) };
  },
} satisfies Sender);
