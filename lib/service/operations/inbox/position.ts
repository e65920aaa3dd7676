import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { canonicalJson } from '../../../domain/returns/history/canonical-json.ts';
import { sha256 } from '../../../runtime/hash.ts';
import type { ListedRow } from '../../../store/inbox/inbox-list.ts';

export const deliveryNotFound: Failure = {
  code: 'delivery_not_found',
  detail: 'No delivery has this key. Deliveries are stored for 30 days.',
  errors: [{ path: '/deliveryKey', code: 'unknown', message: 'must be the key of a delivery' }],
};

export const orderNeedsPlatform: Failure = {
  code: 'invalid_request',
  detail: 'The filter `orderId` needs the filter `platform`.',
  errors: [{ path: '/platform', code: 'required', message: 'is required with orderId' }],
};

type DeliveryFilter = {
  readonly platform?: string;
  readonly source?: string;
  readonly orderId?: string;
  readonly returnId?: string;
};

/**
 * Whether a delivery belongs to the filter's platform and shop, and concerns its order and return.
 * With an order, the platform is that of the order. One shop of several may register its orders under its own name.
 */
export const isAbout = (row: ListedRow, { platform, source, orderId, returnId }: DeliveryFilter): boolean =>
  (platform === undefined ||
    platform === (orderId === undefined ? row.platform : (row.orderPlatform ?? row.platform))) &&
  (source === undefined || row.source === source) &&
  (orderId === undefined || row.orderId === orderId) &&
  (returnId === undefined || row.returnId === returnId);

/*
 * Cursors of the inbox. They are not signed, because the connected mode has no key for that. A forged cursor only
 * starts at another position of the same list, which the caller may read anyway.
 */

const digestOf = (filters: object): string => sha256(canonicalJson(filters), 'base64url').slice(0, 16);

/** The pattern of the position of a delivery. */
const position = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9a-f]{16}$/;

/** Makes an opaque token for a position in the list with these filters. */
export const cursorAt = (at: string, filters: object): string =>
  Buffer.from(`${digestOf(filters)}${at}`).toString('base64url');

/** Returns the position in a cursor that was made for these filters. */
export const positionIn = (cursor: string, filters: object): Result<string> => {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [digest, at] = [text.slice(0, 16), text.slice(16)];
  if (digest === digestOf(filters) && position.test(at)) return ok(at);
  return fail({
    code: 'invalid_cursor',
    detail: 'The cursor is malformed or belongs to another request.',
    errors: [
      {
        path: '/cursor',
        code: 'cursor',
        message: 'must be the nextCursor of the previous page, with the same filters',
      },
    ],
  });
};
