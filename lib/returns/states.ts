export type Status =
  | 'requested'
  | 'info_requested'
  | 'approved'
  | 'in_transit'
  | 'partially_received'
  | 'received'
  | 'inspected'
  | 'completed'
  | 'rejected'
  | 'cancelled'
  | 'expired';

/** A command on an existing return. */
export type Command = 'approve' | 'reject';

/** The state table (contract section 4): which commands a status admits. Guards narrow it further. */
export const commandsIn: Readonly<Record<Status, readonly Command[]>> = {
  requested: ['approve', 'reject'],
  info_requested: ['approve', 'reject'],
  approved: [],
  in_transit: [],
  partially_received: [],
  received: [],
  inspected: [],
  completed: [],
  rejected: [],
  cancelled: [],
  expired: [],
};

/** The scope that each command needs. */
export const scopeOf: Readonly<Record<Command, 'returns:write' | 'returns:admin'>> = {
  approve: 'returns:write',
  reject: 'returns:write',
};
