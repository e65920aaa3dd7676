import { randomUUID } from 'node:crypto';
import type { Output } from '../../contract/contract.ts';
import type { StackEvent } from '../events.ts';
import type { Recorder } from './recorder.ts';
import type { Stack } from '../stack.ts';

/** By which an endpoint of an earlier start is known: its receiver is gone, and its secret with it. */
const description = 'The receiver of the local stack';

const call = async (address: string, request: RequestInit): Promise<string> => {
  const response = await fetch(address, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`answered ${response.status}: ${text}`);
  return text;
};

/** The webhook endpoints of the connected mode, as an administrator with a token reaches them. */
export const webhookEndpoints = ({ info, receiver }: Pick<Stack, 'info' | 'receiver'>, token: string) => {
  const url = `${info.connected.url}/v1/webhook-endpoints`;
  const authorization = `Bearer ${token}`;
  return {
    /** Has events sent to the stack's receiver, and no longer to those of earlier starts. */
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
      if (secret === undefined) throw new Error('no secret was told');
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
    throw new Error(`no ${wanted.type} came to the receiver`, { cause });
  });
};
