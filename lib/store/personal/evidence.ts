import { evidenceConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import type { Attachment } from '../../domain/returns/model/goods.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import type { ErasedPage } from './erased-page.ts';
import { deleteObject, listVersions, type VersionMarker } from '../engine/objects.ts';
import { presign, type Link } from '../engine/presign.ts';
import type { Session } from '../engine/session.ts';

/*
 * Files of evidence, in a bucket of their own. They never pass through a function. A caller uploads or downloads a file
 * by an address of S3, signed for this request and a short time.
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

/** Returns the prefix of the keys of a return's files. */
const evidencePrefix = (returnId: string): string => `pii/${returnId}/`;

/**
 * Returns the key of a file. It contains nothing of the customer, not even a digest. Callers who may not know the
 * customer get the address, and customer ids are few enough to guess.
 */
export const evidenceKey = ({ id }: Pick<Return, 'id'>, attachmentId: string): string =>
  `${evidencePrefix(id)}${attachmentId}`;

/**
 * Creates an address that accepts only a file of the announced type, length and digest.
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
 * Returns links to all evidence of a return, by attachment. Browsers save a file instead of showing it, because it is
 * untrusted. A link fails when the file was never uploaded.
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
 * The position after a page: its last key, whose versions may continue, and the start of the next page. Without a start,
 * the next page is the first one again, because a deletion leaves only what follows.
 */
type Position = { readonly lastKey: string; readonly from?: VersionMarker };

/** Writes a position as text. Keys contain no spaces. */
const positionText = ({ lastKey, from }: Position): string =>
  [lastKey, ...(from === undefined ? [] : [from.key, from.versionId ?? ''])].join(' ');

const positionOf = (text: string): Position => {
  const [lastKey = '', key, versionId = ''] = text.split(' ');
  if (key === undefined) return { lastKey };
  return { lastKey, from: { key, ...(versionId !== '' && { versionId }) } };
};

/**
 * Deletes a page of the versions of a return's files, delete markers included. A deletion without a version would only
 * hide a file.
 *
 * @returns the number of files in the page, without the file that the page before has counted
 * @throws {ObjectsUnavailable} when files may still exist
 */
export const eraseEvidence = async (
  session: Session,
  returnId: string,
  { after, countOnly }: { readonly after: string | undefined; readonly countOnly: boolean },
): Promise<ErasedPage<number>> => {
  const { lastKey, from } = positionOf(after ?? '');
  const listing = {
    ...config(),
    prefix: evidencePrefix(returnId),
    limit: pageSize,
    ...(from !== undefined && { from }),
  };
  const { versions, next } = await listVersions(session, listing, attemptMs);
  if (!countOnly)
    await Promise.all(versions.map(async (version) => deleteObject(session, { ...config(), ...version, attemptMs })));
  const keys = new Set(versions.map(({ key }) => key));
  keys.delete(lastKey);
  if (next === undefined) return { count: keys.size };
  // A page without versions leaves nothing to delete, so the first page would be the same again.
  const isFirstAgain = !countOnly && versions.length > 0;
  const position = { lastKey: versions.at(-1)?.key ?? lastKey, ...(!isFirstAgain && { from: next }) };
  return { count: keys.size, after: positionText(position) };
};
