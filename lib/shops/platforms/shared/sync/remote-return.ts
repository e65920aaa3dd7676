import type { Input, Output } from '../../../../contract/contract.ts';
import { sum } from '../../../../runtime/sum.ts';

export type RemoteLine = Input<'createReturn'>['lines'][number];
type Disposition = NonNullable<NonNullable<Input<'inspect'>['lines']>[number]['disposition']>;

/** The outcome and disposition of inspected units. */
export type InspectionFinding = {
  readonly outcome: 'accept' | 'refuse';
  readonly disposition: Disposition;
  readonly quantity: number;
};

/** The totals of an order line's units up to now. */
export type RemoteUnits = {
  readonly orderLineId: string;
  readonly received: number;
  readonly missing: number;
  /** The findings for received units. Other received units are not inspected yet. */
  readonly found: readonly InspectionFinding[];
};

/**
 * A parcel to the shop, known by its number or else by its label.
 * Without contents it holds all units that have no parcel.
 */
export type RemoteParcel = {
  readonly carrier?: string;
  readonly trackingNumber?: string;
  readonly trackingUrl?: string;
  readonly labelUrl?: string;
  readonly contents?: readonly { readonly orderLineId: string; readonly quantity: number }[];
};

/** A new item that a platform gives for units of a return. */
export type RemoteExchange = NonNullable<Input<'updateReturn'>['shopExchanges']>[number];

/** A refund by a platform. */
export type RemoteRefund = Omit<Input<'recordRefund'>, 'returnId'>;

/**
 * The current state of a platform's return, whichever delivery caused the fetch.
 * All fields describe the state, not its history. So a later or repeated fetch gives the same result.
 */
export type RemoteReturn = {
  readonly platform: string;
  /** The platform's own id. */
  readonly externalId: string;
  readonly orderId: string;
  readonly status: 'requested' | 'approved' | 'rejected' | 'cancelled' | 'completed';
  /** An instant in RFC 3339, UTC, like the others. */
  readonly createdAt: string;
  readonly closedAt?: string;
  /** When the state was fetched. */
  readonly fetchedAt: string;
  readonly initiatedBy: 'customer' | 'agent';
  readonly lines: readonly RemoteLine[];
  readonly rejection?: { readonly code: string; readonly note?: string };
  readonly parcels: readonly RemoteParcel[];
  readonly units: readonly RemoteUnits[];
  /** What the platform gives in exchange. Absent if it does not report exchanges. */
  readonly exchanges?: readonly RemoteExchange[];
};

type LocalReturn = Output<'getReturn'>;

/**
 * Returns the units of the platform's return that ours never had. Units that were rejected or cancelled here stay so,
 * whatever the platform shows.
 */
export const addedLines = (ours: LocalReturn, { lines }: RemoteReturn): readonly RemoteLine[] => {
  const known = new Map<string, number>();
  for (const { orderLineId, quantities } of ours.lines)
    known.set(orderLineId, (known.get(orderLineId) ?? 0) + quantities.requested);
  return lines.flatMap((line) => {
    const before = known.get(line.orderLineId) ?? 0;
    const quantity = Math.max(0, line.quantity - before);
    known.set(line.orderLineId, before - (line.quantity - quantity));
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });
};

/** The target quantities of a line of our return. */
export type Target = {
  readonly line: LocalReturn['lines'][number];
  /** Units that are still part of the platform's return. */
  readonly remaining: number;
  readonly received: number;
  readonly missing: number;
  readonly found: readonly InspectionFinding[];
};

/** Returns an allocator of the units of an order line, which returns at most the units left. */
const allocator = (units: number) => {
  let left = units;
  return (maximum: number): number => {
    const taken = Math.max(0, Math.min(left, maximum));
    left -= taken;
    return taken;
  };
};

const unitsOf = ({ lines }: RemoteReturn, orderLineId: string): number =>
  sum(lines.filter((line) => line.orderLineId === orderLineId).map(({ quantity }) => quantity));

const allocatorsOf = (remote: RemoteReturn, orderLineId: string) => {
  const units = remote.units.find((ofLine) => ofLine.orderLineId === orderLineId);
  return {
    remaining: allocator(unitsOf(remote, orderLineId)),
    received: allocator(units?.received ?? 0),
    missing: allocator(units?.missing ?? 0),
    found: (units?.found ?? []).map(({ quantity, ...kind }) => ({ kind, take: allocator(quantity) })),
  };
};

/**
 * Returns the target of each line of our return, so that it matches the platform's.
 * A platform reports lines of the order. Lines of our return with the same order line share its units, in their order.
 * Units that were outstanding when a return ended are no longer expected.
 */
export const targetsOf = (ours: LocalReturn, remote: RemoteReturn): readonly Target[] => {
  const purses = new Map(
    ours.lines.map(({ orderLineId }): [string, ReturnType<typeof allocatorsOf>] => [
      orderLineId,
      allocatorsOf(remote, orderLineId),
    ]),
  );
  return ours.lines.flatMap((line) => {
    const of = purses.get(line.orderLineId);
    if (of === undefined) return [];
    const remaining = of.remaining(line.quantities.requested);
    const received = of.received(remaining);
    const missing = remote.status === 'completed' ? remaining - received : of.missing(remaining - received);
    let unlooked = received;
    const found = of.found.map(({ kind, take }) => {
      const quantity = take(unlooked);
      unlooked -= quantity;
      return { ...kind, quantity };
    });
    return [{ line, remaining, received, missing, found }];
  });
};
