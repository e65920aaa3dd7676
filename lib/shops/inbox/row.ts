import { gunzipSync, gzipSync } from 'node:zlib';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Delivery } from '../platforms/platform.ts';
import { sha256 } from '../../runtime/hash.ts';
import { ObjectsUnavailable } from '../../store/engine/objects.ts';
import { openSession } from '../../store/engine/session.ts';
import { getBody } from '../../store/inbox/inbox-bodies.ts';
import { type InboxHead, type InboxRow, rowRetentionSeconds } from '../../store/inbox/inbox-row.ts';

/** Why a body cannot be read: it is deleted, or the bucket does not respond. */
type BodyUnavailable =
  | { readonly status: 'parked'; readonly reason: 'payload_missing' }
  | { readonly status: 'retry'; readonly reason: 'payload_unavailable' };

/** Reads the exact bytes of a delivery. */
export const readBody = async (row: InboxRow, deadline: number): Promise<Result<Buffer, BodyUnavailable>> => {
  if ('body' in row) return ok(gunzipSync(row.body));
  try {
    using session = openSession(deadline);
    const gzipped = await getBody(session, row.bodyKey);
    return gzipped === undefined ? fail({ status: 'parked', reason: 'payload_missing' }) : ok(gunzipSync(gzipped));
  } catch (error) {
    if (!(error instanceof ObjectsUnavailable)) throw error;
    return fail({ status: 'retry', reason: 'payload_unavailable' });
  }
};

/** A delivery to store. */
export type NewDelivery = Omit<Delivery, 'isIdSigned'> & {
  readonly platform: string;
  readonly byBody?: true;
  /** The exact bytes. */
  readonly body: Buffer;
  /** JSON, as in the row. */
  readonly headers?: string;
  readonly traceId: string;
};

/** Returns the row of a new delivery, with its body inside. */
export const newRow = ({ body, ...head }: NewDelivery): InboxHead & { readonly body: Buffer } => ({
  ...head,
  // A container has one delivery at a time, so a thread of its own would only add the time to reach it.
  body: gzipSync(body),
  bodyHash: sha256(body, 'hex'),
  receivedAt: new Date().toISOString(),
  status: 'received',
  attempts: 0,
  expiresAt: Math.floor(Date.now() / 1000) + rowRetentionSeconds,
});
