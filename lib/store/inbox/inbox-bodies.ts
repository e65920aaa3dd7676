import { inboxBodiesConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { deleteObject, getObject, putObject } from '../engine/objects.ts';
import { type Link, presign } from '../engine/presign.ts';
import type { Session } from '../engine/session.ts';
import { type DeliveryIdentity, inboxKey } from './inbox-row.ts';

/*
 * Bodies of deliveries that are too large for their rows, gzipped, in a bucket of their own. A body is put before its
 * row. The lifecycle of the bucket also deletes a body without a row.
 */

const linkSeconds = 5 * 60;

/** After two attempts a receiver has time for the row and the message: the platform waits for five seconds. */
const attemptMs = 1_500;

const config = configured(inboxBodiesConfig);

/**
 * Returns the key of a body, which includes the digest of its bytes. Delivery ids are not signed, so a body under the
 * id of another delivery must not replace that body.
 */
export const bodyKeyOf = (row: DeliveryIdentity): string =>
  `deliveries/${sha256(inboxKey(row), 'hex')}/${row.bodyHash}`;

/**
 * Stores a gzipped body. A repeat does no harm.
 *
 * @throws {ObjectsUnavailable} when it is unknown whether the body is stored
 */
export const putBody = async (session: Session, key: string, gzipped: Uint8Array): Promise<void> =>
  putObject(session, { ...config(), key, attemptMs }, gzipped);

/**
 * Returns the gzipped body of a key, or undefined when there is none.
 *
 * @throws {ObjectsUnavailable} when that is unknown
 */
export const getBody = async (session: Session, key: string): Promise<Buffer | undefined> =>
  getObject(session, { ...config(), key, attemptMs });

/**
 * Deletes the body of a key, whether or not it exists.
 *
 * @throws {ObjectsUnavailable} when the body may still exist
 */
export const deleteBody = async (session: Session, key: string): Promise<void> =>
  deleteObject(session, { ...config(), key, attemptMs });

/**
 * Returns an address that serves a body as it was delivered, with its gzip encoding. Browsers save it instead of
 * showing it, because it is untrusted.
 *
 * @param now epoch milliseconds
 */
export const linkToBody = async (key: string, now: number): Promise<Link> => {
  const query = { 'response-content-encoding': 'gzip', 'response-content-disposition': 'attachment' };
  return presign({ ...config(), key, method: 'GET', headers: {}, query, seconds: linkSeconds }, now);
};
