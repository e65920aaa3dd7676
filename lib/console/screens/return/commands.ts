import type { Output } from '../../../contract/contract.ts';
import {
  addNote,
  addParcel,
  amendReturn,
  approve,
  assignReturn,
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
  assignReturn,
  updateReturn,
} as const;

export type CommandName = keyof typeof commands;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** Commands on a parcel, an exchange, a refund or a fee. Their buttons stand at these. */
const ofParts: ReadonlySet<string> = new Set(['updateParcel', 'exchangeResult', 'recordRefundResult', 'waiveFee']);

/** Commands that have a place of their own on the screen. */
const elsewhere: ReadonlySet<string> = new Set([
  ...ofParts,
  'addNote',
  'assignReturn',
  'addAttachment',
  'updateReturn',
]);

/** Commands that take something away from the customer. Their buttons look different. */
export const dangerous: ReadonlySet<string> = new Set([
  'reject',
  'cancel',
  'expire',
  'closeReceipt',
  'writeOffRecovery',
]);

/** The commands that people use in each status. The first possible ones are buttons, all others are in the menu. */
const usual: Readonly<Partial<Record<Return['status'], readonly string[]>>> = {
  requested: ['approve', 'reject', 'requestInfo'],
  info_requested: ['provideInfo', 'approve', 'reject'],
  approved: ['receive', 'receiveAndRefund', 'addParcel'],
  in_transit: ['receive', 'receiveAndRefund'],
  partially_received: ['inspect', 'receive', 'receiveAndRefund'],
  received: ['inspect'],
  inspected: ['refund', 'exchange', 'complete'],
};

/** The groups of the menu. What takes something away from the customer stands last. */
const groups = {
  decision: ['approve', 'requestInfo', 'provideInfo', 'amendReturn', 'reopen', 'reject'],
  goods: ['addParcel', 'receive', 'receiveAndRefund', 'inspect', 'grant', 'exchange', 'correct', 'closeReceipt'],
  money: ['refund', 'compensate', 'recordRecovery', 'remindRefund', 'writeOffRecovery'],
  end: ['complete', 'cancel', 'expire'],
} as const;

type Group = keyof typeof groups;

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

/** Returns the command that a return waits for, if one is possible: that of the API, as in the queue. */
export const nextCommand = (of: Return): Action | undefined => {
  const { nextStep, allowedActions: actions = [], status } = of;
  // Most customers send the goods without a word.
  const isSending = nextStep?.by === 'customer' && status === 'approved';
  const names = nextStep === undefined ? (usual[status] ?? []) : [isSending ? 'receive' : nextStep.action];
  return names.flatMap((name) => actions.filter((action) => action.action === name && isUseful(action, of)))[0];
};

/** The most buttons beside the next command. */
const maxButtons = 2;

export type ActionGroups = {
  /** The next command and the usual ones. */
  readonly inView: readonly Action[];
  /** All others that the status allows, by group. */
  readonly menu: readonly (readonly [name: Group, actions: readonly Action[]])[];
};

/**
 * Groups the commands of a return. What makes no sense now is left out: a wrong status, or nothing to act on.
 *
 * @param isPossible whether the person can start a command now
 */
export const groupedActions = (of: Return, isPossible: (action: Action) => boolean): ActionGroups => {
  const own = (of.allowedActions ?? []).filter(
    ({ action, blockedBy = '' }) =>
      isCommand(action) && !elsewhere.has(action) && !/^(?:invalid_transition|nothing_|no_)/.test(blockedBy),
  );
  const named = (names: readonly string[]) => names.flatMap((name) => own.filter((action) => action.action === name));
  const next = own.filter((action) => action === nextCommand(of));
  const others = named(usual[of.status] ?? []).filter((action) => isPossible(action) && !next.includes(action));
  const inView = [...next, ...others.slice(0, maxButtons)];
  const menu = (Object.keys(groups) as readonly Group[]).map(
    (name) => [name, named(groups[name]).filter((action) => !inView.includes(action))] as const,
  );
  return { inView, menu: menu.filter(([, actions]) => actions.length > 0) };
};

export const isEnded = ({ status }: Return): boolean =>
  status === 'completed' || status === 'rejected' || status === 'cancelled' || status === 'expired';
