import { gunzipSync } from 'node:zlib';
import { fail, ok, type Result } from '../contract/result.ts';
import { getBody } from '../store/inbox/inbox-bodies.ts';
import type { InboxRow } from '../store/inbox/inbox-row.ts';
import { ObjectsUnavailable } from '../store/engine/objects.ts';
import { openSession } from '../store/engine/session.ts';

/** Why a body cannot be read: it is deleted, or the bucket does not answer. */
type Missing =
  | { readonly status: 'parked'; readonly reason: 'payload_missing' }
  | { readonly status: 'retry'; readonly reason: 'payload_unavailable' };

/** Reads the exact bytes of a delivery. */
export const bytesOf = async (row: InboxRow, deadline: number): Promise<Result<Buffer, Missing>> => {
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
