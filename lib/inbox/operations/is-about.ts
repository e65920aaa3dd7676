import type { ListedRow } from '../../store/inbox/inbox-list.ts';

type Subject = {
  readonly platform?: string;
  readonly source?: string;
  readonly orderId?: string;
  readonly returnId?: string;
};

/**
 * Whether a delivery is of that platform and shop, and was about that order and return. With an order, the platform is the
 * order's: one shop of several may have its orders under a name of its own.
 */
export const isAbout = (row: ListedRow, { platform, source, orderId, returnId }: Subject): boolean =>
  (platform === undefined ||
    platform === (orderId === undefined ? row.platform : (row.orderPlatform ?? row.platform))) &&
  (source === undefined || row.source === source) &&
  (orderId === undefined || row.orderId === orderId) &&
  (returnId === undefined || row.returnId === returnId);
