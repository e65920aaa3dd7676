import { inboxBodiesConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { deleteObject, getObject, putObject } from '../engine/objects.ts';
import { type Link, presign } from '../engine/presign.ts';
import type { Session } from '../engine/session.ts';
import { type InboxHead, inboxKey } from './inbox-row.ts';

/*
 * Bodies of deliveries that are too large for their rows, gzipped, in a bucket of their own. A body is put there before
 * its row is written: what is left without a row is deleted with the others when its time is over.
 */

const linkSeconds = 5 * 60;

/** Twice this leaves a receiver, whose platform waits for five seconds, the time for the row and the message. */
const attemptMs = 1_500;

const config = configured(inboxBodiesConfig);

/**
 * Where the body of a delivery lies. The digest of the bytes is a part of it: ids of deliveries are not signed, and what
 * comes under the id of another must not take the place of what that one brought.
 */
export const bodyKeyOf = (row: Pick<InboxHead, 'platform' | 'source' | 'topic' | 'deliveryId' | 'bodyHash'>): string =>
  `deliveries/${sha256(inboxKey(row), 'hex')}/${row.bodyHash}`;

/**
 * Keeps a gzipped body. The same once more does no harm.
 *
 * @throws {ObjectsUnavailable} where it is not kept for certain
 */
export const putBody = async (session: Session, key: string, gzipped: Uint8Array): Promise<void> =>
  putObject(session, { ...config(), key, attemptMs }, gzipped);

/**
 * The gzipped body of that key, or undefined where there is none.
 *
 * @throws {ObjectsUnavailable} where that is not known
 */
export const getBody = async (session: Session, key: string): Promise<Buffer | undefined> =>
  getObject(session, { ...config(), key, attemptMs });

/**
 * Deletes the body of that key, whether or not there is one.
 *
 * @throws {ObjectsUnavailable} where it may be there still
 */
export const deleteBody = async (session: Session, key: string): Promise<void> =>
  deleteObject(session, { ...config(), key, attemptMs });

/**
 * An address that serves the body as it was delivered: gzipped, which it says. Browsers are told to save it, not to show
 * it: it is a stranger's.
 *
 * @param now epoch milliseconds
 */
export const linkToBody = async (key: string, now: number): Promise<Link> => {
  const query = { 'response-content-encoding': 'gzip', 'response-content-disposition': 'attachment' };
  return presign({ ...config(), key, method: 'GET', headers: {}, query, seconds: linkSeconds }, now);
};
