import { randomUUID } from 'node:crypto';
import type { Output } from '../../contract/contract.ts';
import type { StackEvent } from '../events.ts';
import type { Recorder } from './recorder.ts';
import type { Stack } from '../stack.ts';

/** Identifies the endpoints of earlier starts, whose receiver and secret no longer exist. */
const description = 'The receiver of the local stack';

const call = async (address: string, request: RequestInit): Promise<string> => {
  const response = await fetch(address, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`answered ${response.status}: ${text}`);
  return text;
};

/** Calls the webhook endpoints of the connected mode with an admin token. */
export const webhookEndpoints = ({ info, receiver }: Pick<Stack, 'info' | 'receiver'>, token: string) => {
  const url = `${info.connected.url}/v1/webhook-endpoints`;
  const authorization = `Bearer ${token}`;
  return {
    /** Subscribes the receiver of the stack, and deletes the endpoints of earlier starts. */
    subscribe: async (eventTypes: readonly string[], signal: AbortSignal): Promise<void> => {
      const { items } = JSON.parse(
        await call(url, { headers: { authorization }, signal }),
      ) as Output<'listWebhookEndpoints'>;
      for (const old of items.filter((endpoint) => endpoint.description === description))
        await call(`${url}/${old.endpointId}`, { method: 'DELETE', headers: { authorization }, signal });
      const text = await call(url, {
        method: 'POST',
        headers: { authorization, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.url, eventTypes, description }),
        signal,
      });
      const { secret } = JSON.parse(text) as Output<'createWebhookEndpoint'>;
      if (secret === undefined) throw new Error('the response has no secret');
      receiver.trust(secret);
    },
  };
};

/** Waits until the receiver has verified an event of a return; its type is given without its prefix. */
export const awaitWebhook = async (
  recorder: Recorder,
  mark: number,
  wanted: { readonly type: string; readonly subject: string },
  signal: AbortSignal,
): Promise<void> => {
  const arrived = (event: StackEvent): boolean =>
    event.type === 'webhook' &&
    event.event !== undefined &&
    event.event.subject === wanted.subject &&
    event.event.type.endsWith(`.${wanted.type}`);
  await recorder.next(mark, arrived, signal).catch((cause: unknown) => {
    throw new Error(`the receiver got no ${wanted.type}`, { cause });
  });
};
