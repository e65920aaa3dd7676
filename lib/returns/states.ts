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

/** The commands on an existing return, in the order of its life. */
export const commands = ['approve', 'reject', 'cancel'] as const;
export type Command = (typeof commands)[number];

/** The state table (contract section 4): which commands a status admits. Guards narrow it further. */
export const commandsIn: Readonly<Record<Status, readonly Command[]>> = {
  requested: ['approve', 'reject', 'cancel'],
  info_requested: ['approve', 'reject', 'cancel'],
  approved: ['cancel'],
  in_transit: ['cancel'],
  partially_received: ['cancel'],
  received: [],
  inspected: [],
  completed: [],
  rejected: [],
  cancelled: [],
  expired: [],
};

/** Goods that have left the customer: they can be called back by an admin alone. */
const moving: ReadonlySet<Status> = new Set(['in_transit', 'partially_received']);

/** The scope that each command needs, in a status. */
export const scopeOf = (command: Command, status: Status): 'returns:write' | 'returns:admin' =>
  command === 'cancel' && moving.has(status) ? 'returns:admin' : 'returns:write';
