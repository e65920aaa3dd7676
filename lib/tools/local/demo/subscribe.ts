import type { Output } from '../../../contract/contract.ts';
import type { Stack } from '../stack.ts';
import type { Wait } from '../waits.ts';
import { type ApiRequest, assertSuccess, callApi, contentOf } from './call.ts';

/** Identifies the endpoints of earlier starts, whose receiver and secret no longer exist. */
const description = 'The receiver of the local stack';

/** Subscribes the receiver of the stack in connected mode, and deletes the endpoints of earlier starts. */
export const subscribe = async (
  { info, receiver }: Stack,
  token: string,
  eventTypes: readonly string[],
  wait: Wait,
): Promise<void> => {
  const path = '/webhook-endpoints';
  const send = (request: ApiRequest) => callApi({ url: info.connected.url, token }, request, wait);
  const { items } = contentOf(await send({ method: 'GET', path })) as Output<'listWebhookEndpoints'>;
  for (const { endpointId } of items.filter((endpoint) => endpoint.description === description)) {
    const deleted = await send({ method: 'DELETE', path: `${path}/${endpointId}` });
    // A repeat of a deletion whose answer was lost finds no endpoint.
    if (deleted.status !== 404) assertSuccess(deleted);
  }
  const body = { url: receiver.url, eventTypes, description };
  const { secret } = contentOf(await send({ method: 'POST', path, body })) as Output<'createWebhookEndpoint'>;
  if (secret === undefined) throw new Error('the response has no secret');
  receiver.trust(secret);
};
