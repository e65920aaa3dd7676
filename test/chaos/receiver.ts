import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { standardKey, verifyStandardWebhook } from '../../lib/shops/platforms/shared/signatures/standard-webhooks.ts';
import { listen } from '../../lib/tools/local/ports.ts';

/** A domain event, as its consumers see it. */
export type SeenEvent = { readonly id: string; readonly subject: string; readonly sequence: number };

/** Returns the identity of a CloudEvent of this service; undefined for anything else. */
export const seenEvent = (value: unknown): SeenEvent | undefined => {
  const { id, subject, data } = (value ?? {}) as {
    readonly id?: string;
    readonly subject?: string;
    readonly data?: { readonly sequence?: number };
  };
  const sequence = data?.sequence;
  return id === undefined || subject === undefined || sequence === undefined ? undefined : { id, subject, sequence };
};

/** Starts a receiver of webhooks that accepts every event with a valid signature, and records it. */
export const startReceiver = async () => {
  const events: SeenEvent[] = [];
  const keys: Buffer[] = [];
  let rejected = 0;
  let bytes = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    bytes += body.length;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(',')]),
    );
    const isAuthentic = verifyStandardWebhook(body, headers, keys, Date.now()).kind === 'authentic';
    const event = isAuthentic ? seenEvent(JSON.parse(body.toString())) : undefined;
    if (event === undefined) rejected += 1;
    else events.push(event);
    response.writeHead(event === undefined ? 401 : 204).end();
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const origin = await listen(server, 0);
  return {
    origin,
    events,
    /** Returns the number of requests without a valid signature. */
    rejected: () => rejected,
    /** Returns the bytes of all bodies. */
    bytes: () => bytes,
    trust: (secret: string): void => {
      const key = standardKey(secret);
      if (key !== undefined) keys.push(key);
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
