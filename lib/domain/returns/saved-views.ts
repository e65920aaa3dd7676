import type { Instant } from './model/order.ts';
import type { Return } from './model/return.ts';
import type { Status } from './model/status.ts';
import type { NextStep } from './rules/next-step.ts';
import { endedStatuses } from './rules/states.ts';

/** The fields of a summary that decide on views. */
export type ViewFields = Pick<Return, 'status' | 'managedBy'> & {
  readonly dueAt?: Instant;
  readonly shopDueAt?: Instant;
  readonly uninspected?: number;
  readonly nextStep?: NextStep;
  readonly flags: readonly string[];
  readonly amounts: { readonly due: { readonly amount: number } };
};

/** The statuses in which the first open deadline may be one of the customer. */
const customerStatuses: ReadonlySet<Status> = new Set(['approved', 'info_requested']);

/** Returns whether `dueAt` may be a deadline of the customer. Then a summary also has `shopDueAt`. */
export const mayWaitForCustomer = ({ status }: Pick<Return, 'status'>): boolean => customerStatuses.has(status);

/** Returns the first open deadline of the shop. In most statuses, the customer has no deadline. */
const shopDeadline = (summary: ViewFields): Instant | undefined =>
  summary.shopDueAt ?? (mayWaitForCustomer(summary) ? undefined : summary.dueAt);

const isOpen = ({ status }: ViewFields): boolean => !endedStatuses.has(status);

type ViewTest = (summary: ViewFields, now: Instant) => boolean;

/** The views of the work queue, in the order of the work. */
const viewTests = {
  // The platform decides on the returns that it manages.
  to_decide: ({ status, managedBy }) => status === 'requested' && managedBy === 'service',
  waiting_for_customer: ({ status, nextStep }) => status === 'info_requested' || nextStep?.by === 'customer',
  to_receive: ({ status }) => status === 'in_transit' || status === 'partially_received',
  to_inspect: (summary) => isOpen(summary) && (summary.uninspected ?? 0) > 0,
  // The money of an ended return is settled, unless finance has a next step.
  refund_due: (summary) => summary.amounts.due.amount > 0 && (isOpen(summary) || summary.nextStep?.by === 'finance'),
  overdue: (summary, now) => {
    const due = shopDeadline(summary);
    return due !== undefined && due < now;
  },
  refund_unknown: ({ flags }) => flags.includes('refund_unknown'),
  // A return keeps its discrepancies. After its end, they need no work.
  discrepancies: (summary) => isOpen(summary) && summary.flags.includes('discrepancy'),
  unexpected_items: ({ flags }) => flags.includes('unexpected'),
} satisfies Readonly<Record<string, ViewTest>>;

export type ViewName = keyof typeof viewTests;

export const viewNames = Object.keys(viewTests) as readonly ViewName[];

/** Returns whether a return is in a view. */
export const isInView = (summary: ViewFields, view: ViewName, now: Instant): boolean => {
  const isIn: ViewTest = viewTests[view];
  return isIn(summary, now);
};

/** The only statuses that a view selects. An index skips all other statuses. */
export const viewStatuses: { readonly [Name in ViewName]?: readonly Status[] } = {
  to_decide: ['requested'],
  waiting_for_customer: ['info_requested', 'approved'],
  to_receive: ['in_transit', 'partially_received'],
  to_inspect: ['partially_received', 'received', 'inspected'],
};

/** Returns whether an ended return still has work: units, items or money are unsettled. */
export const isUnsettled = ({ nextStep, flags }: ViewFields): boolean =>
  nextStep !== undefined || flags.includes('unexpected') || flags.includes('refund_unknown');
