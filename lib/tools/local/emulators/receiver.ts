import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { standardKey, verifyStandardWebhook } from '../../../shops/platforms/shared/signatures/standard-webhooks.ts';
import type { WebhookReceived } from '../events.ts';
import { closeServer, listen } from '../ports.ts';

/*
 * A receiver of webhooks of the Returns Service. It accepts an event only with a valid signature, as every receiver
 * should. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

const maxBodyBytes = 512 * 1024;
/** Ids of deliveries that are stored to detect repeated deliveries. */
const maxIds = 10_000;

type CloudEvent = { readonly type: string; readonly subject: string };

const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks);
};

const eventIn = (body: Buffer): CloudEvent | undefined => {
  try {
    const { specversion, type, subject } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
    return specversion === '1.0' && typeof type === 'string' && typeof subject === 'string'
      ? { type, subject }
      : undefined;
  } catch {
    return undefined;
  }
};

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(',')]));

/**
 * Starts a receiver of webhooks.
 *
 * @param onWebhook receives each delivery and the result of its verification
 */
export const startReceiver = async (port: number, onWebhook?: (webhook: WebhookReceived) => void) => {
  const keys: Buffer[] = [];
  const known = new Set<string>();
  const remember = (id: string): boolean => {
    const isRepeated = known.has(id);
    known.add(id);
    const [oldest = ''] = known;
    if (known.size > maxIds) known.delete(oldest);
    return isRepeated;
  };
  const verify = async (request: IncomingMessage): Promise<Omit<WebhookReceived, 'type' | 'at'>> => {
    if (request.method !== 'POST') return { status: 405, verification: 'not_a_delivery' };
    const body = await bodyOf(request);
    if (body === undefined) return { status: 413, verification: 'too_large' };
    const proof = verifyStandardWebhook(body, headersOf(request), keys, Date.now());
    switch (proof.kind) {
      case 'malformed':
        return { status: 400, verification: `malformed ${proof.header}` };
      case 'rejected':
        return { status: 401, verification: proof.reason };
      // The secret is not registered yet. The sender retries.
      case 'unverifiable':
        return { status: 503, verification: proof.reason };
      case 'authentic': {
        const event = eventIn(body);
        if (event === undefined) return { status: 400, verification: 'not_a_cloud_event' };
        return { status: 204, verification: 'verified', id: proof.id, isRepeated: remember(proof.id), event };
      }
    }
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now();
    const webhook = await verify(request);
    response.writeHead(webhook.status).end();
    onWebhook?.({ type: 'webhook', at, ...webhook });
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const url = await listen(server, port);
  return {
    /** The URL for events. */
    url: `${url}/webhooks`,
    /** Adds a secret to those that verify signatures. */
    trust: (secret: string): void => {
      const key = standardKey(secret);
      if (key === undefined) throw new Error('a secret of an endpoint must be whsec_ and the base64 of 24 to 64 bytes');
      keys.push(key);
    },
    close: async () => closeServer(server),
  };
};
