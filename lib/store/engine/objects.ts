import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { sha256 } from '../../runtime/hash.ts';
import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { documentClient } from './client.ts';
import { presign, type ObjectRequest } from './presign.ts';
import type { Session } from './session.ts';

/*
 * Sends requests to S3 at once. Each is signed like an address. They use the credentials and connections of the table's
 * client.
 */

const requestSeconds = 60;
const attempts = 2;
const pauseLimits = { baseMs: 100, maxMs: 100 };

/** The bucket is unreachable, busy or rejects the request. The message has only the status. */
export class ObjectsUnavailable extends Error {
  override readonly name = 'ObjectsUnavailable';
}

type HandlerResponse = { readonly statusCode: number; readonly body: Readable };
type ObjectResponse = { readonly status: number; readonly body: Buffer };

/**
 * A request for an object, or for a bucket when the key is empty. An attempt that exceeds its time is aborted and
 * repeated once.
 */
export type TimedObjectRequest = Omit<ObjectRequest, 'seconds'> & { readonly attemptMs: number };

const send = async (
  { attemptMs, ...unsigned }: TimedObjectRequest,
  signal: AbortSignal,
  body?: Uint8Array,
): Promise<ObjectResponse> => {
  const request = { ...unsigned, seconds: requestSeconds };
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
  const { response }: { readonly response: HandlerResponse } = await requestHandler.handle(sent, options);
  return { status: response.statusCode, body: await buffer(response.body) };
};

const isTransient = (status: number): boolean => status >= 500 || status === 429;

/**
 * Sends an idempotent request.
 *
 * @throws {ObjectsUnavailable} when the bucket does not respond
 */
const sendRequest = async (
  { signal }: Session,
  request: TimedObjectRequest,
  body?: Uint8Array,
): Promise<ObjectResponse> => {
  for (let count = 1; ; count += 1) {
    const isLast = count >= attempts;
    try {
      const sent = await send(request, signal, body);
      if (isLast || !isTransient(sent.status)) return sent;
    } catch (error) {
      if (isLast || signal.aborted) throw new ObjectsUnavailable('the bucket does not answer', { cause: error });
    }
    await pauseBeforeRetry(count, pauseLimits, signal);
  }
};

/** The location of an object, and the time limit of an attempt. */
export type ObjectLocation = Pick<TimedObjectRequest, 'bucket' | 'key' | 'attemptMs'>;

const unexpectedStatus = (status: number) => new ObjectsUnavailable(`the bucket answers with ${status}`);

const put = async (
  session: Session,
  location: ObjectLocation,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<number> => {
  const described = {
    ...headers,
    'content-length': String(bytes.length),
    'x-amz-checksum-sha256': sha256(bytes, 'base64'),
  };
  return (await sendRequest(session, { ...location, method: 'PUT', headers: described, query: {} }, bytes)).status;
};

/**
 * Puts an object. A repeat does no harm.
 *
 * @throws {ObjectsUnavailable} when it is unknown whether the object is stored
 */
export const putObject = async (
  session: Session,
  location: ObjectLocation,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const status = await put(session, location, bytes, headers);
  if (status !== 200) throw unexpectedStatus(status);
};

/**
 * Puts an object that must not exist yet; returns false when it exists.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 *
 * @throws {ObjectsUnavailable} when it is unknown whether the object is stored
 */
export const putObjectOnce = async (
  session: Session,
  location: ObjectLocation,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> => {
  const status = await put(session, location, bytes, { ...headers, 'if-none-match': '*' });
  if (status !== 200 && status !== 412) throw unexpectedStatus(status);
  return status === 200;
};

/**
 * Returns the object of a key, or undefined when there is none.
 *
 * @throws {ObjectsUnavailable} when that is unknown
 */
export const getObject = async (session: Session, location: ObjectLocation): Promise<Buffer | undefined> => {
  const { status, body } = await sendRequest(session, { ...location, method: 'GET', headers: {}, query: {} });
  if (status === 200) return body;
  // A missing bucket is an error of the deployment.
  if (status === 404 && body.includes('<Code>NoSuchKey</Code>')) return undefined;
  throw unexpectedStatus(status);
};

/**
 * Deletes an object, whether or not it exists. In a bucket with versions, it deletes the given version for good.
 *
 * @throws {ObjectsUnavailable} when the object may still exist
 */
export const deleteObject = async (
  session: Session,
  { versionId, ...location }: ObjectLocation & { readonly versionId?: string },
): Promise<void> => {
  const query: Readonly<Record<string, string>> = versionId === undefined ? {} : { versionId };
  const { status } = await sendRequest(session, { ...location, method: 'DELETE', headers: {}, query });
  if (status !== 204) throw unexpectedStatus(status);
};

/** A version of an object, or a delete marker, which hides the versions before it. */
type ObjectVersion = { readonly key: string; readonly versionId: string };

/** Where the next page of versions begins, as S3 names it. */
export type VersionMarker = { readonly key: string; readonly versionId?: string };

/** A page of versions. S3 may return fewer than the limit: only `next` says that more follow. */
type VersionPage = { readonly versions: readonly ObjectVersion[]; readonly next?: VersionMarker };

/** Keys with a prefix. Keys of this service consist of letters, digits and a few signs, which XML does not escape. */
type Listing = { readonly bucket: string; readonly prefix: string; readonly after?: string; readonly limit: number };

/**
 * Returns the first keys with a prefix, after one of them, in order.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 *
 * @throws {ObjectsUnavailable} when the keys are unknown
 */
export const listKeys = async (
  session: Session,
  { bucket, prefix, after, limit }: Listing,
  attemptMs: number,
): Promise<string[]> => {
  const query = {
    'list-type': '2',
    'max-keys': String(limit),
    prefix,
    ...(after !== undefined && { 'start-after': after }),
  };
  const { status, body } = await sendRequest(session, {
    bucket,
    key: '',
    method: 'GET',
    headers: {},
    query,
    attemptMs,
  });
  if (status !== 200) throw unexpectedStatus(status);
  return [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
};

const versionEntry = /<(Version|DeleteMarker)>.*?<\/\1>/gs;

/** Returns the start of the next page, or undefined after the last one. */
const nextMarker = (listing: string): VersionMarker | undefined => {
  if (!listing.includes('<IsTruncated>true</IsTruncated>')) return undefined;
  const key = /<NextKeyMarker>([^<]+)</.exec(listing)?.[1];
  const versionId = /<NextVersionIdMarker>([^<]+)</.exec(listing)?.[1];
  if (key === undefined) throw new ObjectsUnavailable('the bucket names no next page');
  return { key, ...(versionId !== undefined && { versionId }) };
};

/**
 * Returns a page of the versions of objects with a prefix, from a marker on: by key, the latest first. Delete markers
 * are among them. An object of a bucket without versions has the version `null`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
 *
 * @throws {ObjectsUnavailable} when the versions are unknown
 */
export const listVersions = async (
  session: Session,
  { bucket, prefix, from, limit }: Omit<Listing, 'after'> & { readonly from?: VersionMarker },
  attemptMs: number,
): Promise<VersionPage> => {
  const query = {
    versions: '',
    'max-keys': String(limit),
    prefix,
    ...(from !== undefined && { 'key-marker': from.key }),
    ...(from?.versionId !== undefined && { 'version-id-marker': from.versionId }),
  };
  const request = { bucket, key: '', method: 'GET', headers: {}, query, attemptMs } as const;
  const { status, body } = await sendRequest(session, request);
  if (status !== 200) throw unexpectedStatus(status);
  const listing = body.toString();
  const versions = Array.from(listing.matchAll(versionEntry), ([entry]) => ({
    key: /<Key>([^<]+)</.exec(entry)?.[1] ?? '',
    versionId: /<VersionId>([^<]+)</.exec(entry)?.[1] ?? '',
  }));
  const next = nextMarker(listing);
  return { versions, ...(next !== undefined && { next }) };
};
