import type { OperationName } from '../contract.ts';
import type { Backend } from '../port.ts';

/** The steps by which the inbox brings a return of ours to the state of the platform's. */
export const stepOperations = [
  'updateReturn',
  'amendReturn',
  'approve',
  'reject',
  'addParcel',
  'receive',
  'closeReceipt',
  'inspect',
  'cancel',
  'correct',
  'reopen',
  'complete',
] as const satisfies readonly OperationName[];

/** All operations that the inbox may call. Its side of the port and its permissions follow from this list. */
export const inboxOperations = [
  'registerOrder',
  'createReturn',
  'getReturn',
  'listReturns',
  ...stepOperations,
  'recordRefund',
  'declareWithdrawal',
  'matchWithdrawal',
] as const satisfies readonly OperationName[];

/** The part of the port that the inbox calls. */
export type InboxBackend = Pick<Backend, (typeof inboxOperations)[number]>;
