import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from './client.ts';
import { assertReadable } from './readable.ts';

/** The store for one call: each request ends with the deadline of the call. Disposing stops its timer. */
export type Session = Disposable & { readonly send: DynamoDBDocumentClient['send']; readonly signal: AbortSignal };

const sessionUntil = (signal: AbortSignal, timer: NodeJS.Timeout): Session => {
  const client = documentClient();
  const send: unknown = async (command: Parameters<typeof client.send>[0]) =>
    assertReadable(await client.send(command, { abortSignal: signal }));
  // The cast retains the client's overloads: the function adds only the signal and the check.
  return { send: send as Session['send'], signal, [Symbol.dispose]: () => clearTimeout(timer) };
};

/**
 * Opens the store for one call.
 *
 * @param deadline epoch milliseconds
 * @example using session = openSession(call.deadline);
 */
export const openSession = (deadline: number): Session => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(0, deadline - Date.now()));
  return sessionUntil(controller.signal, timer);
};

/**
 * Opens the store for a part of a call, which must leave time to the rest. It ends with the session of the call.
 *
 * @example using limited = limitSession(session, 1_000);
 */
export const limitSession = (session: Session, ms: number): Session => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return sessionUntil(AbortSignal.any([session.signal, controller.signal]), timer);
};
