import type { Input, Output } from '../../../../contract/contract.ts';
import type { stepOperations } from '../../../../contract/inbox/sync.ts';
import { sum } from '../../../../runtime/sum.ts';
import {
  addedLines,
  type InspectionFinding,
  type RemoteExchange,
  type RemoteReturn,
  targetsOf,
  type Target,
} from './remote-return.ts';

type LocalReturn = Output<'getReturn'>;
type Line = LocalReturn['lines'][number];

type StepOperation = (typeof stepOperations)[number];

export type SyncStep = {
  readonly [Name in StepOperation]: { readonly operation: Name; readonly input: Omit<Input<Name>, 'observed'> };
}[StepOperation];

const undecided: ReadonlySet<LocalReturn['status']> = new Set(['requested', 'info_requested']);
const ended: ReadonlySet<LocalReturn['status']> = new Set(['rejected', 'cancelled', 'expired', 'completed']);
/** Equivalent final statuses of a return without goods. */
const calledOff: ReadonlySet<string> = new Set(['rejected', 'cancelled']);

type Quantities = Line['quantities'];

/** Units that were approved and not cancelled since. */
const approvedUnits = ({ requested, approved, rejected, cancelled }: Quantities): number =>
  approved === 0 ? 0 : requested - rejected - cancelled;
const outstanding = (quantities: Quantities): number =>
  approvedUnits(quantities) - quantities.returnless - quantities.received - quantities.missing;
const uninspected = ({ received, accepted, refused }: Quantities): number => received - accepted - refused;

/** Returns units by line; undefined if no line has any. */
const linesWithUnits = (aims: readonly Target[], unitsOf: (aim: Target) => number) => {
  const lines = aims
    .map((aim) => ({ lineId: aim.line.lineId, quantity: unitsOf(aim) }))
    .filter(({ quantity }) => quantity > 0);
  return lines.length > 0 ? lines : undefined;
};

/** Returns the step that decides an undecided return as the platform did. */
const decisionStep = (ours: LocalReturn, remote: RemoteReturn, aims: readonly Target[]): SyncStep | undefined => {
  const { returnId } = ours;
  const { status, rejection } = remote;
  if (status === 'requested') return undefined;
  if (status === 'cancelled' || aims.every(({ remaining }) => remaining === 0))
    return { operation: 'cancel', input: { returnId } };
  if (status === 'rejected') return { operation: 'reject', input: { returnId, code: 'other', ...rejection } };
  const isLess = aims.some(({ line, remaining }) => remaining < line.quantities.requested);
  const lines = aims.map(({ line, remaining }) => ({ lineId: line.lineId, quantity: remaining }));
  return { operation: 'approve', input: { returnId, ...(isLess ? { lines } : {}) } };
};

/** Returns the step for units that the platform has removed from its return since the approval. */
const cancelRemovedStep = ({ returnId }: LocalReturn, aims: readonly Target[]): SyncStep | undefined => {
  const lines = linesWithUnits(aims, ({ line, remaining }) =>
    Math.min(approvedUnits(line.quantities) - remaining, outstanding(line.quantities)),
  );
  return lines && { operation: 'cancel', input: { returnId, lines } };
};

/**
 * Returns the step for units marked as missing that are expected again or have arrived.
 * That happens after the platform had ended its return.
 */
const correctMissingStep = ({ returnId }: LocalReturn, aims: readonly Target[]): SyncStep | undefined => {
  const lines = linesWithUnits(
    aims,
    ({ line, missing }) => sum(line.missing.map(({ quantity, granted }) => quantity - granted)) - missing,
  );
  return (
    lines && {
      operation: 'correct',
      input: {
        returnId,
        reason: 'not missing on the platform',
        lines: lines.map(({ lineId, quantity }) => ({ lineId, missing: -quantity })),
      },
    }
  );
};

/** Statuses of parcels that may still arrive. */
const inTransit: ReadonlySet<LocalReturn['parcels'][number]['status']> = new Set([
  'label_created',
  'in_transit',
  'exception',
]);

/** Returns the units of a line without a parcel. */
const unshipped = ({ lineId: id, quantities }: Line, parcels: LocalReturn['parcels']): number =>
  outstanding(quantities) -
  sum(
    parcels
      .filter(({ direction, status }) => direction === 'inbound' && inTransit.has(status))
      .flatMap(({ contents }) => contents.filter(({ lineId }) => lineId === id))
      .map(({ quantity }) => quantity),
  );

const addParcelStep = (ours: LocalReturn, remote: RemoteReturn, aims: readonly Target[]): SyncStep | undefined => {
  // The platform's parcel may be one of those whose tracking is erased.
  if (ours.parcels.some(({ erased }) => erased)) return undefined;
  const known = new Set(ours.parcels.flatMap(({ trackingNumber, labelUrl }) => [trackingNumber, labelUrl]));
  const next = remote.parcels.find(({ trackingNumber, labelUrl }) => !known.has(trackingNumber ?? labelUrl));
  if (next === undefined) return undefined;
  const { contents: packed, ...parcel } = next;
  const left = new Map(packed?.map(({ orderLineId, quantity }) => [orderLineId, quantity]));
  const contents = linesWithUnits(aims, ({ line }) => {
    const maximum = packed === undefined ? Infinity : (left.get(line.orderLineId) ?? 0);
    const quantity = Math.max(0, Math.min(maximum, unshipped(line, ours.parcels)));
    left.set(line.orderLineId, maximum - quantity);
    return quantity;
  });
  // Tracking that is reported after the goods has no units left.
  return contents && { operation: 'addParcel', input: { returnId: ours.returnId, ...parcel, contents } };
};

const receiveStep = (ours: LocalReturn, aims: readonly Target[]): SyncStep | undefined => {
  const lines = linesWithUnits(aims, ({ line, received }) =>
    Math.min(received - line.quantities.received, outstanding(line.quantities)),
  );
  const inbound = ours.parcels.filter(({ direction, status }) => direction === 'inbound' && status !== 'cancelled');
  const [parcel] = inbound;
  const from = parcel !== undefined && inbound.length === 1 ? { parcelId: parcel.parcelId } : {};
  return lines && { operation: 'receive', input: { returnId: ours.returnId, ...from, lines } };
};

const closeReceiptStep = ({ returnId }: LocalReturn, aims: readonly Target[]): SyncStep | undefined => {
  const lines = linesWithUnits(aims, ({ line, missing }) =>
    Math.min(missing - line.quantities.missing, outstanding(line.quantities)),
  );
  return lines && { operation: 'closeReceipt', input: { returnId, lines } };
};

const inspectedUnits = ({ inspections }: Line, { outcome, disposition }: InspectionFinding): number =>
  sum(
    inspections
      .filter((inspection) => inspection.outcome === outcome && inspection.disposition === disposition)
      .map(({ quantity }) => quantity),
  );

/** The maximum number of findings in one report. */
const maxFindings = 100;

const inspectStep = ({ returnId }: LocalReturn, aims: readonly Target[]): SyncStep | undefined => {
  const lines = aims.flatMap(({ line, found }) => {
    // Units that are inspected here with another disposition are among those of the platform.
    const { accepted, refused } = line.quantities;
    let left = Math.min(uninspected(line.quantities), sum(found.map(({ quantity }) => quantity)) - accepted - refused);
    return found.flatMap((finding) => {
      const quantity = Math.min(finding.quantity - inspectedUnits(line, finding), left);
      if (quantity <= 0) return [];
      left -= quantity;
      return [{ ...finding, lineId: line.lineId, quantity }];
    });
  });
  return lines.length === 0
    ? undefined
    : { operation: 'inspect', input: { returnId, lines: lines.slice(0, maxFindings) } };
};

const goodsStep = (ours: LocalReturn, aims: readonly Target[]): SyncStep | undefined =>
  receiveStep(ours, aims) ?? closeReceiptStep(ours, aims) ?? inspectStep(ours, aims);

/** Returns the step for units that the platform has added to its return. A return that was called off has none. */
const amendStep = (ours: LocalReturn, remote: RemoteReturn): SyncStep | undefined => {
  const add = calledOff.has(remote.status) ? [] : addedLines(ours, remote);
  return add.length === 0 ? undefined : { operation: 'amendReturn', input: { returnId: ours.returnId, add: [...add] } };
};

/** Returns the step that ends the return like the platform's. There is none while units wait for inspection. */
const endStep = ({ returnId, lines }: LocalReturn, { status }: RemoteReturn): SyncStep | undefined => {
  const isOpen = lines.some((line) => outstanding(line.quantities) > 0);
  if (calledOff.has(status)) return isOpen ? { operation: 'cancel', input: { returnId } } : undefined;
  const isDone = status === 'completed' && !isOpen && lines.every((line) => uninspected(line.quantities) === 0);
  return isDone ? { operation: 'complete', input: { returnId } } : undefined;
};

/** Whether our ended return has another state than the platform's. */
const mustReopen = (ours: LocalReturn, remote: RemoteReturn, aims: readonly Target[]): boolean => {
  const { status } = remote;
  if (status === 'requested') return false;
  if (calledOff.has(status)) return ours.status === 'completed';
  const isBehind = (correctMissingStep(ours, aims) ?? goodsStep(ours, aims) ?? amendStep(ours, remote)) !== undefined;
  if (ours.status === 'completed') return status === 'approved' || isBehind;
  // Ours may have expired while the platform's is still open.
  return ours.status === 'expired' ? status === 'completed' || isBehind : true;
};

/** Returns the step that stores what the platform gives in exchange. A return that was called off exchanges nothing. */
const exchangeStep = (ours: LocalReturn, { status, exchanges }: RemoteReturn): SyncStep | undefined => {
  const known = ours.shopExchanges ?? [];
  const next = calledOff.has(status) ? [] : (exchanges ?? known);
  const isKnown = (exchange: RemoteExchange): boolean =>
    known.some(
      ({ externalId, quantity, sku, title, price }) =>
        externalId === exchange.externalId &&
        quantity === exchange.quantity &&
        sku === exchange.sku &&
        title === exchange.title &&
        price?.amount === exchange.price?.amount &&
        price?.currency === exchange.price?.currency,
    );
  if (next.length === known.length && next.every(isKnown)) return undefined;
  const shopExchanges = next.length === 0 ? null : [...next];
  return { operation: 'updateReturn', input: { returnId: ours.returnId, shopExchanges } };
};

/**
 * Returns the next step that brings our return closer to the platform's.
 * Undefined if both are equal, or if no step is left. An exchange is stored first, so that no money is due meanwhile. It
 * compares states, not events. So late, repeated or reordered
 * deliveries have the same result.
 */
export const nextStep = (ours: LocalReturn, remote: RemoteReturn): SyncStep | undefined => {
  const exchange = exchangeStep(ours, remote);
  if (exchange !== undefined) return exchange;
  const aims = targetsOf(ours, remote);
  if (undecided.has(ours.status)) return decisionStep(ours, remote, aims) ?? amendStep(ours, remote);
  if (ended.has(ours.status))
    return mustReopen(ours, remote, aims)
      ? { operation: 'reopen', input: { returnId: ours.returnId, reason: 'goes on on the platform' } }
      : undefined;
  const correction =
    correctMissingStep(ours, aims) ??
    (calledOff.has(remote.status) ? undefined : (cancelRemovedStep(ours, aims) ?? addParcelStep(ours, remote, aims)));
  return correction ?? goodsStep(ours, aims) ?? amendStep(ours, remote) ?? endStep(ours, remote);
};
