import { isMoving } from '../goods/parcels.ts';
import { outstanding, uninspected } from '../goods/quantities.ts';
import type { Return, UnversionedReturn } from '../model/return.ts';
import type { Status } from '../model/status.ts';
import { changedLines, newLine } from './lines.ts';
import type { Entry, Event, EventOf } from './entry.ts';
import { goodsAppliers, parcelAppliers } from './goods-events.ts';
import { lifecycleAppliers } from './lifecycle-events.ts';
import { moneyAppliers } from './money-events.ts';
import { withPaymentsLeft } from '../money/payments.ts';

/** The field with the time at which a status was last reached. The request keeps its time. */
const statusTimeFields: Readonly<Partial<Record<Status, keyof UnversionedReturn>>> = {
  info_requested: 'infoRequestedAt',
  approved: 'approvedAt',
  in_transit: 'inTransitAt',
  partially_received: 'partiallyReceivedAt',
  received: 'receivedAt',
  inspected: 'inspectedAt',
  completed: 'completedAt',
  rejected: 'rejectedAt',
  cancelled: 'cancelledAt',
  expired: 'expiredAt',
};

/** Returns the field with the time at which a status was reached. */
const reachedAt = (status: Status, at: string): Partial<UnversionedReturn> => {
  const field = statusTimeFields[status];
  return field === undefined ? {} : { [field]: at };
};

/** Statuses that are derived from the quantities. */
const derivedStatuses: ReadonlySet<Status> = new Set([
  'approved',
  'in_transit',
  'partially_received',
  'received',
  'inspected',
]);

/** Derives the status of an approved return from its quantities (contract section 4). */
export const derivedStatus = ({
  status,
  lines,
  parcels,
}: Pick<UnversionedReturn, 'status' | 'lines' | 'parcels'>): Status => {
  if (!derivedStatuses.has(status)) return status;
  const any = (units: (quantities: (typeof lines)[number]['quantities']) => number) =>
    lines.some(({ quantities }) => units(quantities) > 0);
  if (!any(({ received, missing }) => received + missing)) return isMoving(parcels) ? 'in_transit' : 'approved';
  if (any(outstanding)) return 'partially_received';
  return any(uninspected) ? 'received' : 'inspected';
};

const appliers = { ...lifecycleAppliers, ...parcelAppliers, ...goodsAppliers, ...moneyAppliers };

/** Returns the fields that an event changes, without version, head, status and line amounts. */
const applyData = (
  state: UnversionedReturn,
  { type, data }: Exclude<Event, { type: 'return.requested' | 'return.imported' }>,
) =>
  // The applier of a type takes the data of that type; TypeScript does not relate the two across the union.
  (appliers[type] as (state: UnversionedReturn, data: unknown) => Partial<UnversionedReturn>)(state, data);

const createFromRequest = (data: EventOf<'return.requested'>['data'], at: string): UnversionedReturn => {
  const { amounts: _, observed, judgement, paymentsLeft, ...requested } = data;
  return {
    ...requested,
    ...(typeof paymentsLeft === 'number' && { paymentsLeft }),
    ...(judgement === undefined ? {} : { decision: { ...judgement, overridden: false, overrides: [] } }),
    status: 'requested',
    lines: requested.lines.map(newLine),
    parcels: [],
    unexpected: [],
    refunds: [],
    waivers: [],
    recoveries: [],
    exchanges: [],
    evidence: [],
    discrepancies: [],
    messages: [],
    notes: [],
    released: [],
    // Rights and due dates count from the time of the request. A platform may report it late, and a withdrawal is its
    // declaration.
    requestedAt: observed?.occurredAt ?? requested.terms.withdrawal?.declaredAt ?? at,
    createdAt: at,
    updatedAt: at,
  };
};

/** An event with its time, but without its links in the history. */
type TimedEvent = Event & { readonly at: string };

/**
 * Applies the steps of an import, with their times. The return counts from its request, as the service that it comes
 * from counted. Its last change is the import: readers of changes have not seen it before.
 */
const createFromImport = ({ steps }: EventOf<'return.imported'>['data'], at: string): UnversionedReturn => {
  const state = steps.reduce<UnversionedReturn | undefined>(applyEvent, undefined);
  if (state === undefined) throw new Error('an import without steps');
  return { ...state, createdAt: state.requestedAt, updatedAt: at };
};

/**
 * Applies an event to a return, without version and head.
 *
 * @throws Error when a history begins with neither a request nor an import: such a history is broken
 */
export const applyEvent = (state: UnversionedReturn | undefined, event: TimedEvent): UnversionedReturn => {
  const { at } = event;
  if (event.type === 'return.requested') return createFromRequest(event.data, at);
  if (event.type === 'return.imported') return createFromImport(event.data, at);
  if (state === undefined) throw new Error(`history begins with ${event.type}`);
  const changed = { ...state, ...applyData(state, event) };
  const lines = changedLines(changed, event.data.amounts ?? [], (line, { amounts }) => ({ ...line, amounts }));
  const status = derivedStatus(changed);
  const reached = status === state.status ? {} : reachedAt(status, at);
  const { paymentsLeft, promotion } = event.data;
  const current = withPaymentsLeft(changed, paymentsLeft);
  return { ...current, ...(promotion !== undefined && { promotion }), lines, status, ...reached, updatedAt: at };
};

/** Returns a return with the version and the head of the entry that was applied last. */
export const atEntry = (applied: UnversionedReturn, { sequence, hash }: Entry): Return => ({
  ...applied,
  version: sequence,
  head: hash,
});

/** Applies an entry to a return. A return is the fold of its history and nothing else. */
export const fold = (state: Return | undefined, entry: Entry): Return => atEntry(applyEvent(state, entry), entry);
