import type { Step } from './step.ts';
import { approvedIn, endedIn, undecidedIn } from './verdicts.ts';

/*
 * The edges of the state table (contract section 4), as the next statuses of each step by status. After the approval
 * the status follows from the goods. So a step may have several next statuses.
 */

type Ways = Readonly<Record<string, readonly string[]>>;

const all = [...undecidedIn, ...approvedIn, ...endedIn];

const staying = (...statuses: readonly string[]): Ways =>
  Object.fromEntries(statuses.map((status) => [status, [status]]));

const cancelled = { requested: ['cancelled'], info_requested: ['cancelled'] };
const came = {
  in_transit: ['in_transit', 'partially_received', 'received'],
  partially_received: ['partially_received', 'received'],
  received: ['received'],
  inspected: ['inspected', 'received'],
  completed: ['completed', 'received'],
  expired: ['expired', 'received'],
};
const corrected = ['partially_received', 'received', 'inspected'];

/** The edges that every long run takes. */
const usual: Readonly<Record<Step['name'], Ways>> = {
  approve: { requested: ['approved'], info_requested: ['approved'] },
  amendReturn: {
    ...staying(...undecidedIn),
    approved: ['approved', 'partially_received'],
    in_transit: ['in_transit', 'partially_received'],
    partially_received: ['partially_received'],
    received: ['received', 'partially_received'],
    inspected: ['received', 'partially_received'],
  },
  reject: { requested: ['rejected'], info_requested: ['rejected'] },
  requestInfo: { requested: ['info_requested'] },
  provideInfo: { info_requested: ['requested'] },
  cancel: {
    requested: ['requested', 'cancelled'],
    info_requested: ['info_requested', 'cancelled'],
    approved: ['approved', 'cancelled'],
    in_transit: ['in_transit', 'cancelled'],
    partially_received: corrected,
  },
  cancelAll: {
    ...cancelled,
    approved: ['cancelled'],
    in_transit: ['cancelled'],
    partially_received: ['received', 'inspected'],
  },
  addParcel: {
    ...staying('in_transit', 'partially_received', 'inspected', 'completed'),
    approved: ['approved', 'in_transit'],
  },
  updateParcel: {
    ...staying('partially_received', 'received', 'inspected', 'completed'),
    approved: ['approved', 'in_transit'],
    in_transit: ['in_transit', 'approved'],
  },
  receive: { ...came, ...staying('rejected', 'cancelled'), approved: ['approved', 'partially_received', 'received'] },
  receiveParcel: {
    ...came,
    ...staying('cancelled'),
    approved: ['in_transit', 'partially_received', 'received'],
  },
  receiveAndRefund: {
    approved: ['inspected'],
    in_transit: ['inspected'],
    partially_received: ['received', 'inspected'],
  },
  closeReceipt: { approved: ['inspected'], in_transit: ['inspected'], partially_received: ['received', 'inspected'] },
  inspect: { ...staying('partially_received'), received: ['received', 'inspected'] },
  dispose: staying('partially_received', 'received', 'inspected'),
  grant: staying('partially_received', 'received', 'inspected'),
  exchange: staying(...approvedIn),
  exchangeResult: staying(...approvedIn, 'completed', 'cancelled', 'expired'),
  refund: staying(...approvedIn, 'completed'),
  recordRefundResult: staying(...all),
  compensate: staying(...all),
  remindRefund: staying('partially_received', 'received', 'inspected'),
  waiveFee: staying(...approvedIn),
  recordRecovery: staying('approved', 'partially_received', 'received', 'inspected'),
  writeOffRecovery: staying('approved', 'partially_received', 'received', 'inspected'),
  complete: { inspected: ['completed'] },
  expire: { approved: ['expired'], info_requested: ['expired'] },
  reopen: {
    rejected: ['requested'],
    cancelled: ['requested', 'approved', 'in_transit'],
    expired: ['requested', 'approved'],
    completed: ['inspected'],
  },
  correct: {
    approved: corrected,
    in_transit: ['partially_received', 'received', 'inspected'],
    partially_received: ['approved', ...corrected],
    received: ['approved', ...corrected],
    inspected: ['approved', ...corrected],
    completed: ['completed'],
    expired: ['expired'],
  },
  addNote: staying(...all),
  assignReturn: staying(...all),
  addAttachment: staying(...all),
  createReturn: staying(...all),
};

/** Edges that need several corrections or an empty parcel. Not every run takes them. */
const rare: Partial<Record<Step['name'], Ways>> = {
  amendReturn: { in_transit: ['partially_received'] },
  cancel: { in_transit: ['cancelled'], partially_received: ['inspected'] },
  cancelAll: { partially_received: ['inspected'] },
  receiveParcel: { ...staying('in_transit', 'completed', 'expired', 'rejected'), approved: ['in_transit'] },
  grant: staying('partially_received'),
  exchangeResult: staying('expired'),
  remindRefund: staying('approved', 'in_transit'),
  recordRecovery: staying('in_transit', 'completed'),
  writeOffRecovery: staying('in_transit', 'completed'),
  recordRefundResult: staying(...undecidedIn, 'rejected', 'cancelled', 'expired'),
  reopen: { expired: ['in_transit', 'partially_received', 'received', 'inspected'], completed: ['received'] },
  correct: {
    in_transit: ['received', 'inspected'],
    partially_received: ['approved', 'in_transit', 'inspected'],
    received: ['in_transit'],
    inspected: ['approved', 'in_transit'],
    completed: ['approved', 'in_transit', 'partially_received', 'received', 'inspected'],
    expired: ['expired', 'approved', 'in_transit', 'partially_received', 'received', 'inspected'],
  },
};

const edgesIn = (table: Readonly<Record<string, Ways>>): readonly string[] =>
  Object.entries(table).flatMap(([name, modes]) =>
    Object.entries(modes).flatMap(([from, statuses]) => statuses.map((to) => `${name}: ${from} -> ${to}`)),
  );

const rareEdges: ReadonlySet<string> = new Set(edgesIn(rare));

export const allEdges: ReadonlySet<string> = new Set([...edgesIn(usual), ...rareEdges]);
export const defaultEdges: readonly string[] = [...allEdges].filter((edge) => !rareEdges.has(edge));
