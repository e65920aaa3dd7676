import type { Output } from '../../../contract/contract.ts';
import {
  addNote,
  addParcel,
  amendReturn,
  approve,
  cancel,
  closeReceipt,
  compensate,
  complete,
  correct,
  exchange,
  exchangeResult,
  expire,
  grant,
  inspect,
  provideInfo,
  receive,
  receiveAndRefund,
  recordRecovery,
  recordRefundResult,
  refund,
  reject,
  remindRefund,
  reopen,
  requestInfo,
  updateParcel,
  updateReturn,
  waiveFee,
  writeOffRecovery,
} from '../../../contract/operations.ts';

/* The commands of the screen, and which of them comes next. */

export type Return = Output<'getReturn'>;
export type Action = NonNullable<Return['allowedActions']>[number];

/** The commands that have a form. Evidence has an upload of its own. */
export const commands = {
  approve,
  reject,
  amendReturn,
  requestInfo,
  provideInfo,
  addParcel,
  updateParcel,
  receive,
  receiveAndRefund,
  closeReceipt,
  inspect,
  grant,
  exchange,
  exchangeResult,
  refund,
  compensate,
  recordRefundResult,
  waiveFee,
  recordRecovery,
  writeOffRecovery,
  complete,
  cancel,
  expire,
  reopen,
  correct,
  remindRefund,
  addNote,
  updateReturn,
} as const;

export type CommandName = keyof typeof commands;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** Commands on a parcel, an exchange, a refund or a fee. Their buttons stand at these. */
const ofParts: ReadonlySet<string> = new Set(['updateParcel', 'exchangeResult', 'recordRefundResult', 'waiveFee']);

/** Commands that have a place of their own on the screen. */
const elsewhere: ReadonlySet<string> = new Set([...ofParts, 'addNote', 'addAttachment']);

/** Commands of the usual course of a return, in its order. */
const usual: readonly string[] = [
  'approve',
  'reject',
  'requestInfo',
  'provideInfo',
  'addParcel',
  'receive',
  'receiveAndRefund',
  'closeReceipt',
  'inspect',
  'exchange',
  'refund',
  'recordRecovery',
  'complete',
  'cancel',
];

/** Commands that people look for. They stay in view while something blocks them, with the reason. */
const expected: ReadonlySet<string> = new Set(['inspect', 'refund', 'complete']);

/** Commands that take something away from the customer. Their buttons look different. */
export const dangerous: ReadonlySet<string> = new Set([
  'reject',
  'cancel',
  'expire',
  'closeReceipt',
  'writeOffRecovery',
]);

const nextByStatus: Readonly<Record<Return['status'], readonly string[]>> = {
  requested: ['approve'],
  info_requested: ['provideInfo', 'approve'],
  approved: ['recordRefundResult', 'refund', 'receive', 'complete'],
  in_transit: ['receive'],
  partially_received: ['inspect', 'receive'],
  received: ['inspect'],
  inspected: ['recordRefundResult', 'recordRecovery', 'exchangeResult', 'refund', 'addParcel', 'complete'],
  completed: ['recordRefundResult', 'recordRecovery'],
  rejected: ['recordRefundResult', 'recordRecovery'],
  cancelled: ['recordRefundResult', 'recordRecovery'],
  expired: ['recordRefundResult', 'recordRecovery'],
};

const needsOverride = ({ overrides = [] }: Action): boolean => overrides.length > 0;

type Refund = Return['refunds'][number];

/** Statuses of a refund whose result is still expected, the most urgent first. A paid refund may also be reversed. */
const openStatuses: readonly Refund['status'][] = ['failed', 'pending', 'unknown', 'submitted'];

/** Returns the most urgent refund whose result is expected. */
export const openRefund = ({ refunds }: Pick<Return, 'refunds'>): Refund | undefined =>
  openStatuses.flatMap((status) => refunds.filter((refund) => refund.status === status))[0];

const isUseful = (action: Action, { refunds, refundStatus }: Return): boolean =>
  action.allowed &&
  (action.action !== 'recordRefundResult' || openRefund({ refunds }) !== undefined) &&
  (action.action !== 'refund' || refundStatus !== 'refunded') &&
  (action.action !== 'complete' || !needsOverride(action));

/** Returns the command that a return waits for, if one is possible. */
export const nextCommand = (of: Return): Action | undefined => {
  const actions = of.allowedActions ?? [];
  for (const name of nextByStatus[of.status]) {
    const found = actions.find(({ action }) => action === name);
    if (found !== undefined && isUseful(found, of)) return found;
  }
  return undefined;
};

/** The commands in their groups: buttons in view, and the rest. */
export const groupedActions = (
  of: Return,
): { readonly inView: readonly Action[]; readonly rest: readonly Action[] } => {
  const own = (of.allowedActions ?? []).filter(({ action }) => isCommand(action) && !elsewhere.has(action));
  const order = (action: Action) => usual.indexOf(action.action);
  const isInView = (action: Action) =>
    action.allowed ? order(action) >= 0 : expected.has(action.action) && action.blockedBy !== 'invalid_transition';
  return {
    inView: own.filter(isInView).toSorted((a, b) => order(a) - order(b)),
    rest: own.filter((action) => !isInView(action)),
  };
};

export const isEnded = ({ status }: Return): boolean =>
  status === 'completed' || status === 'rejected' || status === 'cancelled' || status === 'expired';
