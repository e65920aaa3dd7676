import { evidenceConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import type { Attachment } from '../../returns/model/goods.ts';
import type { Return } from '../../returns/model/return.ts';
import type { ErasedPage } from './erasure.ts';
import { deleteObject, listKeys } from '../engine/objects.ts';
import { presign, type Link } from '../engine/presign.ts';
import type { Session } from '../engine/session.ts';

/*
 * Files of evidence, in a bucket of their own. They never pass through a function: whoever has a file, or wants one, is
 * given an address of S3 that is signed for this one thing and a short time.
 */

const uploadSeconds = 15 * 60;
const linkSeconds = 5 * 60;
const attemptMs = 2_000;
const pageSize = 20;

/** How to upload a file. */
export type Upload = Link & {
  readonly method: 'PUT';
  readonly headers: { readonly 'content-type': Attachment['contentType']; readonly 'x-amz-checksum-sha256': string };
};

const config = configured(evidenceConfig);

/** What the keys of all files of a return begin with. */
const evidencePrefix = (returnId: string): string => `pii/${returnId}/`;

/**
 * Where a file lies. The key says nothing of the customer, not even as a digest: the address is given to callers who must
 * not learn of the customer, and ids of customers are few enough to try them all.
 */
export const evidenceKey = ({ id }: Pick<Return, 'id'>, attachmentId: string): string =>
  `${evidencePrefix(id)}${attachmentId}`;

/**
 * Lets somebody upload a file, with the type, the length and the digest that it was announced with and no other.
 *
 * @param now epoch milliseconds
 */
export const createUpload = async (
  key: string,
  { contentType, size, sha256 }: Pick<Attachment, 'contentType' | 'size' | 'sha256'>,
  now: number,
): Promise<Upload> => {
  const headers = { 'content-type': contentType, 'x-amz-checksum-sha256': sha256 };
  const signed = { ...headers, 'content-length': String(size) };
  const request = { ...config(), key, method: 'PUT', headers: signed, query: {}, seconds: uploadSeconds } as const;
  const link = await presign(request, now);
  return { method: 'PUT', ...link, headers };
};

/**
 * Links to all evidence of a return, by attachment. Browsers are told to save a file, not to show it: it is a
 * stranger's. Whether it was ever uploaded shows when its link is followed.
 *
 * @param now epoch milliseconds
 */
export const createEvidenceLinks = async (state: Return, now: number): Promise<ReadonlyMap<string, Link>> => {
  const query = { 'response-content-disposition': 'attachment' };
  const links = state.evidence.map(async ({ id }): Promise<[string, Link]> => {
    const key = evidenceKey(state, id);
    return [id, await presign({ ...config(), key, method: 'GET', headers: {}, query, seconds: linkSeconds }, now)];
  });
  return new Map(await Promise.all(links));
};

/**
 * Deletes the files of a return, a page of them after a key.
 *
 * @throws {ObjectsUnavailable} where they may be there still
 */
export const eraseEvidence = async (
  session: Session,
  returnId: string,
  { after, countOnly }: { readonly after: string | undefined; readonly countOnly: boolean },
): Promise<ErasedPage<number>> => {
  const listing = {
    ...config(),
    prefix: evidencePrefix(returnId),
    limit: pageSize,
    ...(after !== undefined && { after }),
  };
  const keys = await listKeys(session, listing, attemptMs);
  if (!countOnly) await Promise.all(keys.map(async (key) => deleteObject(session, { ...config(), key, attemptMs })));
  const last = keys.length < pageSize ? undefined : keys.at(-1);
  return { count: keys.length, ...(last !== undefined && { after: last }) };
};
