import { isUndisposed, uninspected } from './goods/quantities.ts';
import type { ActorUser } from './model/actor.ts';
import type { Instant, Money, OrderRef } from './model/order.ts';
import type { ExternalRef, Return } from './model/return.ts';
import type { Status } from './model/status.ts';
import { recoveryDue } from './money/recovery.ts';
import { moneyOf, refundStatus } from './money/refund-status.ts';
import { dueAt, shopDueAt } from './rules/deadlines.ts';
import { nextStep, type NextStep, openUnitCount, type Party } from './rules/next-step.ts';
import { isInView, mayWaitForCustomer, type ViewName } from './saved-views.ts';
import { sum } from './units-by-line.ts';

/**
 * What a person should look at: a fact that breaks a rule, an item of no line, money that the customer has to give
 * back, a refund without a known result.
 */
export type Flag = 'discrepancy' | 'unexpected' | 'recovery' | 'refund_unknown';

/** The fields of a return in lists. */
export type Summary = Pick<
  Return,
  | 'id'
  | 'rmaNumber'
  | 'status'
  | 'version'
  | 'order'
  | 'managedBy'
  | 'externalRefs'
  | 'initiatedBy'
  | 'tags'
  | 'requestedAt'
  | 'createdAt'
  | 'updatedAt'
> & {
  readonly channel?: string;
  readonly customerId?: string;
  /** Present when the return is of a gift: its customer is the buyer. */
  readonly isGift?: true;
  /** The requested units. */
  readonly quantity: number;
  readonly refundStatus: ReturnType<typeof refundStatus>;
  /** The SKUs of all lines, each once. The reason codes follow the same rule. */
  readonly skus: readonly string[];
  readonly reasons: readonly string[];
  /** The first open deadline. */
  readonly dueAt?: Instant;
  /** The first open deadline of the shop, in statuses in which `dueAt` may be a deadline of the customer. */
  readonly shopDueAt?: Instant;
  /** Received units without an inspection. Absent for none. Lists show neither this field nor `shopDueAt`. */
  readonly uninspected?: number;
  /** Units that wait for a decision, a receipt or an inspection. */
  readonly openUnits: number;
  readonly amounts: {
    /** The most that refunds may pay for the goods, before fees. */
    readonly worth: Money;
    /** What the customer has, with shipping. */
    readonly refunded: Money;
    /** What is booked and unpaid, and what may be booked now. */
    readonly due: Money;
  };
  /** Absent when nothing is left to do. */
  readonly nextStep?: NextStep;
  readonly assignee?: ActorUser;
  readonly flags: readonly Flag[];
};

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];

const amountsOf = (state: Return): Summary['amounts'] => {
  const currency = state.lines[0]?.amounts.gross.currency ?? '';
  const { refunded, due } = moneyOf(state);
  return {
    worth: { amount: sum(state.lines.map(({ amounts }) => amounts.maxRefundable.amount)), currency },
    refunded: { amount: refunded, currency },
    due: { amount: due, currency },
  };
};

const flagsOf = (state: Return): readonly Flag[] => [
  ...(state.discrepancies.length > 0 ? (['discrepancy'] as const) : []),
  ...(state.unexpected.some(isUndisposed) ? (['unexpected'] as const) : []),
  ...(recoveryDue(state) > 0 ? (['recovery'] as const) : []),
  ...(state.refunds.some(({ external, status }) => external === undefined && status === 'unknown')
    ? (['refund_unknown'] as const)
    : []),
];

/** Returns the fields that decide on views and that no list shows. Most summaries have none, and stay as small. */
const viewFields = (state: Return): Pick<Summary, 'shopDueAt' | 'uninspected'> => {
  const due = mayWaitForCustomer(state) ? shopDueAt(state) : undefined;
  const units = sum(state.lines.map(({ quantities }) => uninspected(quantities)));
  return { ...(due === undefined ? {} : { shopDueAt: due }), ...(units > 0 ? { uninspected: units } : {}) };
};

/** Returns the summary of a return. The shop's customer id is its only personal field. */
export const summarizeReturn = (state: Return): Summary => {
  const { id, rmaNumber, status, version, order, managedBy, externalRefs, channel, initiatedBy, customer } = state;
  const { tags, requestedAt, createdAt, updatedAt } = state;
  const due = dueAt(state);
  const next = nextStep(state);
  return {
    id,
    rmaNumber,
    status,
    version,
    order,
    managedBy,
    externalRefs,
    ...(channel === undefined ? {} : { channel }),
    initiatedBy,
    ...(customer.id === undefined ? {} : { customerId: customer.id }),
    ...(state.isGift ? { isGift: true } : {}),
    quantity: sum(state.lines.map(({ quantities }) => quantities.requested)),
    refundStatus: refundStatus(state),
    skus: distinct(state.lines.map(({ sku }) => sku)),
    reasons: distinct(state.lines.map(({ reason }) => reason.code)),
    ...(due === undefined ? {} : { dueAt: due }),
    ...viewFields(state),
    openUnits: openUnitCount(state),
    amounts: amountsOf(state),
    ...(next === undefined ? {} : { nextStep: next }),
    ...(state.assignee ? { assignee: state.assignee } : {}),
    flags: flagsOf(state),
    tags,
    requestedAt,
    createdAt,
    updatedAt,
  };
};

/** The filter of a list. Several filters must all match. */
export type Filter = {
  /** Any of these statuses. */
  readonly status?: readonly Status[];
  readonly platform?: string;
  readonly orderId?: string;
  /** Any of these orders: those that an order number belongs to. */
  readonly orders?: readonly OrderRef[];
  readonly customerId?: string;
  readonly rmaNumber?: string;
  readonly externalRef?: ExternalRef;
  readonly trackingNumber?: string;
  readonly sku?: string;
  readonly reason?: string;
  /** The party of the next step. */
  readonly nextBy?: Party;
  /** The id of the assignee. */
  readonly assignee?: string;
  /** Whether there is an assignee. */
  readonly assigned?: boolean;
  readonly flag?: Flag;
  readonly view?: ViewName;
  readonly createdFrom?: Instant;
  readonly updatedFrom?: Instant;
  /** Whether the first open deadline has passed. */
  readonly overdue?: boolean;
  /** The latest time of the first open deadline. */
  readonly dueBefore?: Instant;
};

/** Tests a summary against each filter. An undefined filter always matches. */
type FilterTests = {
  // A summary has no tracking number: the index rows of the number decide this filter.
  readonly [Name in Exclude<keyof Filter, 'trackingNumber'>]-?: (
    summary: Summary,
    wanted: Exclude<Filter[Name], undefined>,
    now: Instant,
  ) => boolean;
};

const filterTests: FilterTests = {
  status: ({ status }, wanted) => wanted.includes(status),
  platform: ({ order }, wanted) => order.platform === wanted,
  orderId: ({ order }, wanted) => order.orderId === wanted,
  orders: ({ order }, wanted) =>
    wanted.some(({ platform, orderId }) => platform === order.platform && orderId === order.orderId),
  customerId: ({ customerId }, wanted) => customerId === wanted,
  rmaNumber: ({ rmaNumber }, wanted) => rmaNumber === wanted,
  externalRef: ({ externalRefs }, wanted) =>
    externalRefs.some(({ platform, id }) => platform === wanted.platform && id === wanted.id),
  sku: ({ skus }, wanted) => skus.includes(wanted),
  reason: ({ reasons }, wanted) => reasons.includes(wanted),
  nextBy: ({ nextStep: next }, wanted) => next?.by === wanted,
  assignee: ({ assignee }, wanted) => assignee?.id === wanted,
  assigned: ({ assignee }, wanted) => (assignee !== undefined) === wanted,
  flag: ({ flags }, wanted) => flags.includes(wanted),
  view: isInView,
  createdFrom: ({ createdAt }, wanted) => createdAt >= wanted,
  updatedFrom: ({ updatedAt }, wanted) => updatedAt >= wanted,
  overdue: ({ dueAt: due }, wanted, now) => (due !== undefined && due < now) === wanted,
  dueBefore: ({ dueAt: due }, wanted) => due !== undefined && due < wanted,
};

/** Returns whether a summary matches a filter. The index rows of a tracking number decide that filter before. */
export const matchesFilter = (summary: Summary, filter: Filter, now: Instant): boolean =>
  Object.entries(filter).every(
    ([name, wanted]) =>
      wanted === undefined ||
      name === 'trackingNumber' ||
      // The test of a filter takes the value of that filter; TypeScript does not relate the two across the record.
      (filterTests[name as keyof FilterTests] as (summary: Summary, wanted: unknown, now: Instant) => boolean)(
        summary,
        wanted,
        now,
      ),
  );
