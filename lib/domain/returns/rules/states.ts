import { type Status, statuses } from '../model/status.ts';
import type { Blocker } from './blocker.ts';

export type Scope = 'returns:write' | 'returns:admin';

/** The statuses that allow a command, and its scope. */
type Row = {
  readonly in: readonly Status[];
  readonly scope: Scope;
  /** Statuses in which the command requires an admin, unlike in the others. */
  readonly adminIn?: readonly Status[];
};

/** Statuses that end a return, unless it is reopened. */
const endStatuses = ['completed', 'rejected', 'cancelled', 'expired'] as const;
export const endedStatuses: ReadonlySet<Status> = new Set(endStatuses);

const undecidedStatuses = ['requested', 'info_requested'] as const;
/** Returns whether a return in a status waits for its decision. */
export const isUndecided = (status: Status): boolean => undecidedStatuses.some((undecided) => undecided === status);

const expectingGoodsStatuses = ['approved', 'in_transit', 'partially_received'] as const;
/** The statuses from approval to inspection. */
const approvedStatuses = [...expectingGoodsStatuses, 'received', 'inspected'] as const;

/**
 * The state table (contract section 4). It has a row for each command on an existing return. Guards restrict it
 * further.
 */
export const stateTable = {
  approve: { in: undecidedStatuses, scope: 'returns:write' },
  reject: { in: undecidedStatuses, scope: 'returns:write' },
  amendReturn: { in: [...undecidedStatuses, ...approvedStatuses], scope: 'returns:write' },
  addParcel: { in: [...approvedStatuses, 'completed'], scope: 'returns:write' },
  updateParcel: { in: [...approvedStatuses, 'completed'], scope: 'returns:write' },
  receive: { in: [...approvedStatuses, 'completed', 'rejected', 'cancelled', 'expired'], scope: 'returns:write' },
  receiveAndRefund: { in: expectingGoodsStatuses, scope: 'returns:write' },
  closeReceipt: { in: expectingGoodsStatuses, scope: 'returns:write' },
  inspect: { in: ['partially_received', 'received', 'inspected'], scope: 'returns:write' },
  grant: { in: approvedStatuses, scope: 'returns:admin' },
  exchange: { in: approvedStatuses, scope: 'returns:write' },
  exchangeResult: { in: approvedStatuses, scope: 'returns:write' },
  requestInfo: { in: ['requested'], scope: 'returns:write' },
  provideInfo: { in: ['info_requested'], scope: 'returns:write' },
  // Approved without expected goods: all units are cancelled or returnless.
  complete: { in: ['approved', 'inspected'], scope: 'returns:write' },
  cancel: {
    in: [...undecidedStatuses, ...expectingGoodsStatuses],
    scope: 'returns:write',
    // The goods have left the customer.
    adminIn: ['in_transit', 'partially_received'],
  },
  compensate: { in: statuses, scope: 'returns:write' },
  refund: { in: [...approvedStatuses, 'completed'], scope: 'returns:write', adminIn: ['completed'] },
  recordRefundResult: { in: statuses, scope: 'returns:write' },
  remindRefund: { in: [...undecidedStatuses, ...approvedStatuses], scope: 'returns:write' },
  waiveFee: { in: [...undecidedStatuses, ...approvedStatuses], scope: 'returns:admin' },
  recordRecovery: { in: statuses, scope: 'returns:write' },
  writeOffRecovery: { in: statuses, scope: 'returns:admin' },
  addAttachment: { in: statuses, scope: 'returns:write' },
  expire: { in: ['info_requested', 'approved'], scope: 'returns:write' },
  reopen: { in: endStatuses, scope: 'returns:admin' },
  correct: { in: statuses, scope: 'returns:admin' },
  addNote: { in: statuses, scope: 'returns:write' },
  assignReturn: { in: statuses, scope: 'returns:write' },
} as const satisfies Readonly<Record<string, Row>>;

export type Command = keyof typeof stateTable;

/** The commands on an existing return. */
export const commands = Object.keys(stateTable) as readonly Command[];

const rowOf = (command: Command): Row => stateTable[command];

/** Returns whether the state table allows a command in a status. */
export const allowsCommand = (status: Status, command: Command): boolean => rowOf(command).in.includes(status);

/** Returns the scope that a command requires in a status. */
export const scopeOf = (command: Command, status: Status): Scope => {
  const { scope, adminIn } = rowOf(command);
  return adminIn?.includes(status) === true ? 'returns:admin' : scope;
};

export type AllowedAction = {
  readonly action: Command;
  /** The least scope with which a request succeeds. */
  readonly scope: Scope;
  readonly allowed: boolean;
  /** Why no request succeeds now. */
  readonly blockedBy?: Blocker['code'];
  /** What a request of that scope must override; absent for nothing. */
  readonly overrides?: Override[];
};
/** A code that a request must override. */
export type Override = 'evidence_required' | 'not_eligible' | 'statutory_floor_violation' | 'unsettled';
