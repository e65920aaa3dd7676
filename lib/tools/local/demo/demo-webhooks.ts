import { randomUUID } from 'node:crypto';
import type { Output } from '../../../contract/contract.ts';
import type { StackEvent } from '../events.ts';
import { call, callForText, shortly } from './call.ts';
import type { Recorder } from './recorder.ts';
import type { Stack } from '../stack.ts';
import type { Wait } from '../waits.ts';

/** Identifies the endpoints of earlier starts, whose receiver and secret no longer exist. */
const description = 'The receiver of the local stack';

/** Calls the webhook endpoints of the connected mode with an admin token. */
export const webhookEndpoints = ({ info, receiver }: Pick<Stack, 'info' | 'receiver'>, token: string) => {
  const url = `${info.connected.url}/v1/webhook-endpoints`;
  const authorization = `Bearer ${token}`;
  return {
    /** Subscribes the receiver of the stack, and deletes the endpoints of earlier starts. */
    subscribe: async (eventTypes: readonly string[], wait: Wait): Promise<void> => {
      const text = await callForText(url, { headers: { authorization } }, wait);
      const { items } = JSON.parse(text) as Output<'listWebhookEndpoints'>;
      for (const old of items.filter((endpoint) => endpoint.description === description)) {
        const deleted = await call(`${url}/${old.endpointId}`, { method: 'DELETE', headers: { authorization } }, wait);
        // A repeat of a deletion whose answer was lost finds no endpoint.
        if (deleted.status >= 300 && deleted.status !== 404) throw new Error(shortly(deleted));
      }
      const headers = { authorization, 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
      const body = JSON.stringify({ url: receiver.url, eventTypes, description });
      const created = await callForText(url, { method: 'POST', headers, body }, wait);
      const { secret } = JSON.parse(created) as Output<'createWebhookEndpoint'>;
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
  { note, progress, signal }: Wait,
): Promise<void> => {
  const arrived = (event: StackEvent): boolean =>
    event.type === 'webhook' &&
    event.event !== undefined &&
    event.event.subject === wanted.subject &&
    event.event.type.endsWith(`.${wanted.type}`);
  note(`the receiver got no ${wanted.type}`);
  await recorder.next(mark, arrived, signal);
  progress();
};
