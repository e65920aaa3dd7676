import type { Instant } from './model/order.ts';
import type { ExternalRef, Return } from './model/return.ts';
import type { Status } from './model/status.ts';
import { refundStatus } from './money/refund-status.ts';
import { dueAt } from './rules/deadlines.ts';
import { sum } from './units-by-line.ts';

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
};

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];

/** Returns the summary of a return. The shop's customer id is its only personal field. */
export const summarizeReturn = (state: Return): Summary => {
  const { id, rmaNumber, status, version, order, managedBy, externalRefs, channel, initiatedBy, customer } = state;
  const { tags, requestedAt, createdAt, updatedAt } = state;
  const due = dueAt(state);
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
    tags,
    requestedAt,
    createdAt,
    updatedAt,
  };
};

/** The filter of a list. Several filters must all match. */
export type Filter = {
  readonly status?: Status;
  readonly platform?: string;
  readonly orderId?: string;
  readonly customerId?: string;
  readonly rmaNumber?: string;
  readonly externalRef?: ExternalRef;
  readonly trackingNumber?: string;
  readonly sku?: string;
  readonly reason?: string;
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
  status: ({ status }, wanted) => status === wanted,
  platform: ({ order }, wanted) => order.platform === wanted,
  orderId: ({ order }, wanted) => order.orderId === wanted,
  customerId: ({ customerId }, wanted) => customerId === wanted,
  rmaNumber: ({ rmaNumber }, wanted) => rmaNumber === wanted,
  externalRef: ({ externalRefs }, wanted) =>
    externalRefs.some(({ platform, id }) => platform === wanted.platform && id === wanted.id),
  sku: ({ skus }, wanted) => skus.includes(wanted),
  reason: ({ reasons }, wanted) => reasons.includes(wanted),
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
