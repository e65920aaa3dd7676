import { fail, type Failure, ok, type Result } from '../../contract/result.ts';
import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { ListedRow } from '../../store/inbox/inbox-list.ts';

export const deliveryNotFound: Failure = {
  code: 'delivery_not_found',
  detail: 'No such delivery; deliveries are kept for 30 days.',
  errors: [{ path: '/deliveryKey', code: 'unknown', message: 'must be the key of a delivery' }],
};

export const orderNeedsPlatform: Failure = {
  code: 'invalid_request',
  detail: 'An order is known by its platform and its id.',
  errors: [{ path: '/platform', code: 'required', message: 'is required with orderId' }],
};

type DeliveryFilter = {
  readonly platform?: string;
  readonly source?: string;
  readonly orderId?: string;
  readonly returnId?: string;
};

/**
 * Whether a delivery is of that platform and shop, and was about that order and return. With an order, the platform is the
 * order's: one shop of several may have its orders under a name of its own.
 */
export const isAbout = (row: ListedRow, { platform, source, orderId, returnId }: DeliveryFilter): boolean =>
  (platform === undefined ||
    platform === (orderId === undefined ? row.platform : (row.orderPlatform ?? row.platform))) &&
  (source === undefined || row.source === source) &&
  (orderId === undefined || row.orderId === orderId) &&
  (returnId === undefined || row.returnId === returnId);

/*
 * Cursors of the inbox. They are not signed, as there is no key for that in the connected mode: all that one could forge
 * is another place in the same list, which whoever may read it may begin at anyway.
 */

const digestOf = (filters: object): string => sha256(canonicalJson(filters), 'base64url').slice(0, 16);

/** A position as a delivery has it. */
const position = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9a-f]{16}$/;

/** An opaque token for a position in the list of those filters. */
export const cursorAt = (at: string, filters: object): string =>
  Buffer.from(`${digestOf(filters)}${at}`).toString('base64url');

/** The position in a cursor of ours that was made for these filters. */
export const positionIn = (cursor: string, filters: object): Result<string> => {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [digest, at] = [text.slice(0, 16), text.slice(16)];
  if (digest === digestOf(filters) && position.test(at)) return ok(at);
  return fail({
    code: 'invalid_cursor',
    detail: 'The cursor is not one that this request was given.',
    errors: [
      { path: '/cursor', code: 'cursor', message: 'must be the nextCursor of the page before, with the same filters' },
    ],
  });
};
