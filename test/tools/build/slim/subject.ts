import { GetCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { enqueue } from '../../../../lib/shops/inbox/queue.ts';
import { secureContextOf } from '../../../../lib/access/secrets/key-pair.ts';
import { createAgent, type Agent } from '../../../../lib/access/net/agent.ts';
import { systemClock } from '../../../../lib/access/net/clock.ts';
import { send, type Outgoing } from '../../../../lib/access/net/request.ts';
import { TransportError } from '../../../../lib/access/net/transport-error.ts';
import { SecretUnavailable } from '../../../../lib/access/secrets/secret.ts';
import { secrets } from '../../../../lib/access/secrets/source.ts';
import { documentClient, table, isUnavailable } from '../../../../lib/store/engine/client.ts';
import { putNew, transact } from '../../../../lib/store/engine/transact.ts';

/*
 * The code that is bundled whole and slim: all our code for requests to dependencies. Its outcomes show what a caller
 * sees.
 */

let timeout = new AbortController();

/** Aborts the running calls, once. */
export const abort = (): void => {
  timeout.abort();
  timeout = new AbortController();
};

/**
 * Returns the fields of an SDK error that its retries and lib/store/engine/client.ts use. Ports differ from run to
 * run.
 */
const sdkFailure = (error: unknown) => {
  if (!(error instanceof Error)) return { thrown: error };
  const { name, message } = error;
  const { code, $metadata, $fault } = error as { code?: string; $metadata?: Record<string, unknown>; $fault?: string };
  const { attempts, httpStatusCode } = $metadata ?? {};
  const masked = message.replaceAll(/:\d+/g, ':port');
  return { name, message: masked, code, fault: $fault, attempts, httpStatusCode, unavailable: isUnavailable(error) };
};

const outcomeOf = async <Value>(work: Promise<Value>, failure: (error: unknown) => unknown) => {
  try {
    return { value: await work };
  } catch (error) {
    return { error: failure(error) };
  }
};

export const readItem = (pk: string) => {
  const command = new GetCommand({ TableName: table(), Key: { pk, sk: 'X' } });
  const read = async () => {
    const { Item, $metadata } = await documentClient().send(command, { abortSignal: timeout.signal });
    return { Item, attempts: $metadata.attempts, status: $metadata.httpStatusCode };
  };
  return outcomeOf(read(), sdkFailure);
};

export const writeItem = (pk: string, text: string) => {
  const client = documentClient();
  const session = { send: client.send.bind(client), signal: timeout.signal, [Symbol.dispose]: () => undefined };
  return outcomeOf(transact(session, [putNew('item', { pk, sk: 'X' }, { text })]), sdkFailure);
};

export const enqueueKey = (key: string) => outcomeOf(enqueue(key, timeout.signal), sdkFailure);

export const readSecret = (id: string) =>
  outcomeOf(
    secrets()
      .read(id)
      .then(({ text, versionId }) => ({ text, versionId })),
    (error) => (error instanceof SecretUnavailable ? error.reason : error),
  );

export type Exchange = Partial<Pick<Outgoing, 'method' | 'headers' | 'body' | 'maxBytes'>> & {
  readonly url: string;
  readonly identity?: { readonly certificate?: string; readonly privateKey?: string; readonly ca?: string };
};

const transportFailure = (error: unknown) => {
  if (!(error instanceof TransportError)) return String(error);
  const { name, message, reason, code, status } = error;
  return { name, message, reason, code, status };
};

let agent: Agent | undefined;

/** Sends one request by lib/access/net. All requests share one agent. */
export const exchange = async ({ identity, ...fields }: Exchange) => {
  agent ??= createAgent({ secureContext: identity && secureContextOf(identity), clock: systemClock });
  const request = { method: 'GET', headers: {}, maxBytes: 8_000_000, ...fields } as const;
  const sent = send({ ...request, agent, timeoutMs: 60_000, signal: timeout.signal });
  const shown = async () => {
    const { status, headers, body } = await sent;
    const { date: _, ...others } = headers;
    return { status, headers: others, body: body.toString('utf8') };
  };
  return outcomeOf(shown(), transportFailure);
};

/** Returns the states of the signal of a request with so many milliseconds. A handler reads them before and after. */
export const signalled = async (remaining: number) => {
  const signals: unknown[] = [];
  const record = (signal: AbortSignal) => signals.push([signal instanceof AbortSignal, signal.aborted]);
  const handler = middy<{ wait: boolean }, string>({
    timeoutEarlyInMillis: 1,
    timeoutEarlyResponse: () => 'late',
  }).handler(async (event, _, { signal }) => {
    record(signal);
    if (event.wait) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    record(signal);
    return 'in time';
  });
  const context = { getRemainingTimeInMillis: () => remaining } as Context;
  const answers = [await handler({ wait: false }, context), await handler({ wait: true }, context)];
  return { answers, signals };
};
