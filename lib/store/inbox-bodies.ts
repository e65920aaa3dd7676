import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { inboxBodiesConfig } from '../config.ts';
import { documentClient } from './client.ts';
import { inboxKey } from './inbox-key.ts';
import type { InboxHead } from './inbox.ts';
import { presign, type Link, type ObjectRequest } from './presign.ts';
import type { Session } from './session.ts';

/*
 * Bodies of deliveries that are too large for their rows, gzipped, in a bucket of their own. A body is put there before
 * its row is written: what is left without a row is deleted with the others when its time is over.
 */

/** Of a request that is sent at once. */
const requestSeconds = 60;
const linkSeconds = 5 * 60;

const attempts = 2;
/** Twice this leaves a receiver, whose platform waits for five seconds, the time for the row and the message. */
const attemptMs = 1_500;
const longestPauseMs = 100;

const { bucket } = inboxBodiesConfig();

/** The bucket cannot be reached, is busy or refuses. The message tells its status, and nothing of the request. */
export class BodyUnavailable extends Error {
  override readonly name = 'BodyUnavailable';
}

/**
 * Where the body of a delivery lies. The digest of the bytes is a part of it: ids of deliveries are not signed, and what
 * comes under the id of another must not take the place of what that one brought.
 */
export const bodyKeyOf = (row: Pick<InboxHead, 'platform' | 'source' | 'topic' | 'deliveryId' | 'bodyHash'>): string =>
  `deliveries/${createHash('sha256').update(inboxKey(row)).digest('hex')}/${row.bodyHash}`;

type Answer = { readonly statusCode: number; readonly body: Readable };
type Sent = { readonly status: number; readonly body: Buffer };

/** By the connections of the table's client, whose credentials sign it. */
const send = async (request: ObjectRequest, signal: AbortSignal, body?: Uint8Array): Promise<Sent> => {
  const { url } = await presign(request, Date.now());
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const sent = {
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: `${pathname}${search}`,
    method: request.method,
    headers: { ...request.headers },
    ...(body !== undefined && { body }),
  };
  const { requestHandler } = documentClient().config;
  const options = { abortSignal: signal, requestTimeout: attemptMs };
  const { response }: { readonly response: Answer } = await requestHandler.handle(sent, options);
  return { status: response.statusCode, body: await buffer(response.body) };
};

const isTrouble = (status: number): boolean => status >= 500 || status === 429;

const trySend = async (request: ObjectRequest, signal: AbortSignal, body?: Uint8Array): Promise<Sent> => {
  for (let count = 1; ; count += 1) {
    const isLast = count >= attempts;
    try {
      const sent = await send(request, signal, body);
      if (isLast || !isTrouble(sent.status)) return sent;
    } catch (error) {
      if (isLast || signal.aborted) throw new BodyUnavailable('the bucket does not answer', { cause: error });
    }
    await pause(Math.random() * longestPauseMs, undefined, { signal });
  }
};

/**
 * Keeps a gzipped body. The same once more does no harm.
 *
 * @throws {BodyUnavailable} where it is not kept for certain
 */
export const putBody = async ({ signal }: Session, key: string, gzipped: Uint8Array): Promise<void> => {
  const headers = {
    'content-length': String(gzipped.length),
    'x-amz-checksum-sha256': createHash('sha256').update(gzipped).digest('base64'),
  };
  const request = { bucket, key, method: 'PUT', headers, query: {}, seconds: requestSeconds } as const;
  const { status } = await trySend(request, signal, gzipped);
  if (status !== 200) throw new BodyUnavailable(`the bucket answers with ${status}`);
};

/**
 * The gzipped body of that key, or undefined where there is none.
 *
 * @throws {BodyUnavailable} where that is not known
 */
export const getBody = async ({ signal }: Session, key: string): Promise<Buffer | undefined> => {
  const request = { bucket, key, method: 'GET', headers: {}, query: {}, seconds: requestSeconds } as const;
  const { status, body } = await trySend(request, signal);
  if (status === 200) return body;
  // A bucket that is missing is trouble of ours.
  if (status === 404 && body.includes('<Code>NoSuchKey</Code>')) return undefined;
  throw new BodyUnavailable(`the bucket answers with ${status}`);
};

/**
 * An address that serves the body as it was delivered: gzipped, which it says. Browsers are told to save it, not to show
 * it: it is a stranger's.
 *
 * @param now epoch milliseconds
 */
export const linkToBody = async (key: string, now: number): Promise<Link> => {
  const query = { 'response-content-encoding': 'gzip', 'response-content-disposition': 'attachment' };
  return presign({ bucket, key, method: 'GET', headers: {}, query, seconds: linkSeconds }, now);
};
