import { type Status, statuses } from '../model/status.ts';
import type { Blocker } from './blocker.ts';

export type Scope = 'returns:write' | 'returns:admin';

/** Where a command may be given, and with which scope. */
type Row = {
  readonly in: readonly Status[];
  readonly scope: Scope;
  /** Statuses in which it needs an admin although others do not. */
  readonly adminIn?: readonly Status[];
};

/** Statuses in which a return is at its end, unless it is reopened. */
const endStatuses = ['completed', 'rejected', 'cancelled', 'expired'] as const;
export const endedStatuses: ReadonlySet<Status> = new Set(endStatuses);

const undecidedStatuses = ['requested', 'info_requested'] as const;
const expectingGoodsStatuses = ['approved', 'in_transit', 'partially_received'] as const;
/** From the approval to the last look at the goods. */
const approvedStatuses = [...expectingGoodsStatuses, 'received', 'inspected'] as const;

/** The state table (contract section 4), a row for each command on an existing return. Guards narrow it. */
export const stateTable = {
  approve: { in: undecidedStatuses, scope: 'returns:write' },
  reject: { in: undecidedStatuses, scope: 'returns:write' },
  addParcel: { in: [...approvedStatuses, 'completed'], scope: 'returns:write' },
  updateParcel: { in: [...approvedStatuses, 'completed'], scope: 'returns:write' },
  receive: { in: [...approvedStatuses, 'completed', 'rejected', 'cancelled', 'expired'], scope: 'returns:write' },
  closeReceipt: { in: expectingGoodsStatuses, scope: 'returns:write' },
  inspect: { in: ['partially_received', 'received', 'inspected'], scope: 'returns:write' },
  grant: { in: approvedStatuses, scope: 'returns:admin' },
  exchange: { in: approvedStatuses, scope: 'returns:write' },
  exchangeResult: { in: approvedStatuses, scope: 'returns:write' },
  requestInfo: { in: ['requested'], scope: 'returns:write' },
  provideInfo: { in: ['info_requested'], scope: 'returns:write' },
  // Approved with nothing to come back: all of it is cancelled or stays with the customer.
  complete: { in: ['approved', 'inspected'], scope: 'returns:write' },
  cancel: {
    in: [...undecidedStatuses, ...expectingGoodsStatuses],
    scope: 'returns:write',
    // Goods that have left the customer.
    adminIn: ['in_transit', 'partially_received'],
  },
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
} as const satisfies Readonly<Record<string, Row>>;

export type Command = keyof typeof stateTable;

/** The commands on an existing return. */
export const commands = Object.keys(stateTable) as readonly Command[];

const rowOf = (command: Command): Row => stateTable[command];

/** Whether the state table has a command in a status. */
export const allowsCommand = (status: Status, command: Command): boolean => rowOf(command).in.includes(status);

/** The scope that a command needs, in a status. */
export const scopeOf = (command: Command, status: Status): Scope => {
  const { scope, adminIn } = rowOf(command);
  return adminIn?.includes(status) === true ? 'returns:admin' : scope;
};

export type AllowedAction = {
  readonly action: Command;
  /** The least scope with which a request of it succeeds. */
  readonly scope: Scope;
  readonly allowed: boolean;
  /** Why no request of it succeeds now. */
  readonly blockedBy?: Blocker['code'];
  /** What a request of that scope has to override; absent for nothing. */
  readonly overrides?: Override[];
};
/** What a request has to override, as a code. */
export type Override = 'evidence_required' | 'not_eligible' | 'statutory_floor_violation' | 'unsettled';
