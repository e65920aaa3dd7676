import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from './client.ts';

/** The store for the time of one call: what is sent through it ends with the call's deadline. Disposing stops its timer. */
export type Session = Disposable & { readonly send: DynamoDBDocumentClient['send']; readonly signal: AbortSignal };

/**
 * Opens the store for one call.
 *
 * @param deadline epoch milliseconds
 * @example using session = openSession(call.deadline);
 */
export const openSession = (deadline: number): Session => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(0, deadline - Date.now()));
  const { signal } = controller;
  const client = documentClient();
  const send: unknown = async (command: Parameters<typeof client.send>[0]) =>
    client.send(command, { abortSignal: signal });
  // The client's overloads are kept: the signal is all that is added.
  return { send: send as Session['send'], signal, [Symbol.dispose]: () => clearTimeout(timer) };
};
