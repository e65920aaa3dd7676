import { refundStatus } from './refund.ts';
import type { ExternalRef, Return } from './return.ts';
import type { Status } from './states.ts';

/** What a list tells of a return. */
export type Summary = Pick<
  Return,
  | 'id'
  | 'rmaNumber'
  | 'status'
  | 'version'
  | 'order'
  | 'managedBy'
  | 'externalRefs'
  | 'initiatedBy'
  | 'tags'
  | 'requestedAt'
  | 'createdAt'
  | 'updatedAt'
> & {
  readonly channel?: string;
  readonly customerId?: string;
  /** The units asked for. */
  readonly quantity: number;
  readonly refundStatus: ReturnType<typeof refundStatus>;
};

/** The summary of a return, with nothing personal but the shop's id of the customer. */
export const summaryOf = (state: Return): Summary => {
  const { id, rmaNumber, status, version, order, managedBy, externalRefs, channel, initiatedBy, customer } = state;
  const { tags, requestedAt, createdAt, updatedAt } = state;
  return {
    id,
    rmaNumber,
    status,
    version,
    order,
    managedBy,
    externalRefs,
    ...(channel === undefined ? {} : { channel }),
    initiatedBy,
    ...(customer.id === undefined ? {} : { customerId: customer.id }),
    quantity: state.lines.reduce((sum, { quantities }) => sum + quantities.requested, 0),
    refundStatus: refundStatus(state),
    tags,
    requestedAt,
    createdAt,
    updatedAt,
  };
};

/** What a caller of a list looks for; filters narrow together. */
export type Filter = {
  readonly status?: Status;
  readonly platform?: string;
  readonly orderId?: string;
  readonly customerId?: string;
  readonly rmaNumber?: string;
  readonly externalRef?: ExternalRef;
};

/** Whether a return is among those looked for. */
export const matches = (summary: Summary, filter: Filter): boolean => {
  const { status, platform, orderId, customerId, rmaNumber, externalRef } = filter;
  return (
    (status === undefined || summary.status === status) &&
    (platform === undefined || summary.order.platform === platform) &&
    (orderId === undefined || summary.order.orderId === orderId) &&
    (customerId === undefined || summary.customerId === customerId) &&
    (rmaNumber === undefined || summary.rmaNumber === rmaNumber) &&
    (externalRef === undefined ||
      summary.externalRefs.some(({ platform: at, id }) => at === externalRef.platform && id === externalRef.id))
  );
};
