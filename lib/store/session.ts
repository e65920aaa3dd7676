import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from './client.ts';

/** The store for the time of one call: what is sent through it ends with the call's deadline, and leaves nothing behind. */
export type Session = { readonly send: DynamoDBDocumentClient['send']; readonly signal: AbortSignal };

/**
 * Opens the store for one call.
 *
 * @param deadline epoch milliseconds
 */
export const openSession = (deadline: number): Session => {
  const signal = AbortSignal.timeout(Math.max(0, deadline - Date.now()));
  const client = documentClient();
  const send: unknown = async (command: Parameters<typeof client.send>[0]) =>
    client.send(command, { abortSignal: signal });
  // The client's overloads are kept: the signal is all that is added.
  return { send: send as Session['send'], signal };
};
