import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { forPrograms } from '../../emulators/web-page.ts';
import { closeServer, listen } from '../../ports.ts';
import type { Delivered } from './deliver.ts';
import { type Act, acts, type Done, type ShopActs, type ShopDelivery } from './served-shop.ts';

/*
 * One address for what customers and staff do in the shops of this machine: POST /<platform>/<act>?order=<id>. It is no
 * API of a platform. The answer says what the shop did, and how its delivery ended.
 */

type Shops = ReadonlyMap<string, ShopActs>;
type Answer = { readonly status: number; readonly body: object };

const problem = (status: number, error: string): Answer => ({ status, body: { error } });

const isAct = (text: string): text is Act => acts.some((act) => act === text);

/** Does it with the named order, or with a new one. */
const doIn = (
  shops: Shops,
  platform: string,
  act: string,
  named: string | undefined,
): (Done & { readonly orderId: string }) | Answer => {
  const shop = shops.get(platform);
  if (shop === undefined)
    return problem(
      404,
      `No shop of ${platform} runs here. There are: ${[...shops.keys()].join(', ')}. Start more with npm start -- --platforms <names>.`,
    );
  const run = isAct(act) ? shop.acts[act] : undefined;
  if (run === undefined)
    return problem(404, `A shop of ${platform} knows no "${act}". It knows: ${Object.keys(shop.acts).join(', ')}.`);
  const isNew = named === undefined || act === 'order';
  if (!isNew && !shop.hasOrder(named))
    return problem(404, `The shop of ${platform} has no order ${named}. Make one with "order".`);
  const orderId = isNew ? shop.sell() : named;
  return { orderId, ...run(orderId) };
};

const answerTo = async (
  shops: Shops,
  deliver: (delivery: ShopDelivery) => Promise<Delivered>,
  { method, url = '' }: IncomingMessage,
): Promise<Answer> => {
  const { pathname, searchParams } = new URL(url, 'http://door.invalid');
  if (method !== 'POST') return problem(405, 'Send POST /<platform>/<act>.');
  const [, platform = '', act = ''] = pathname.split('/');
  const done = doIn(shops, platform, act, searchParams.get('order') || undefined);
  if ('status' in done) return done;
  const { delivery, ...what } = done;
  const delivered = delivery === undefined ? 'nothing' : await deliver(delivery);
  return { status: 200, body: { platform, ...what, delivered } };
};

/** Starts the address for what happens in the shops. */
export const startDoor = async (
  port: number,
  shops: Shops,
  deliver: (delivery: ShopDelivery) => Promise<Delivered>,
) => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await answerTo(shops, deliver, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
  };
  const server = createServer(forPrograms(serve));
  return { url: await listen(server, port), close: async (): Promise<void> => closeServer(server) };
};
