import type { Unversioned } from '../model/return.ts';
import type { Status } from '../model/status.ts';

/** The field that tells when a status was last reached. The request stays when it was. */
const fields: Readonly<Partial<Record<Status, keyof Unversioned>>> = {
  info_requested: 'infoRequestedAt',
  approved: 'approvedAt',
  in_transit: 'inTransitAt',
  partially_received: 'partiallyReceivedAt',
  received: 'receivedAt',
  inspected: 'inspectedAt',
  completed: 'completedAt',
  rejected: 'rejectedAt',
  cancelled: 'cancelledAt',
  expired: 'expiredAt',
};

/** The time at which a status was reached, in its field. */
export const reachedAt = (status: Status, at: string): Partial<Unversioned> => {
  const field = fields[status];
  return field === undefined ? {} : { [field]: at };
};
