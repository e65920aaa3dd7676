import type { Input } from '../../../contract/contract.ts';

export type RemoteLine = Input<'createReturn'>['lines'][number];
type Disposition = NonNullable<NonNullable<Input<'inspect'>['lines']>[number]['disposition']>;

/** What units were found to be, and what became of them. */
export type InspectionFinding = {
  readonly outcome: 'accept' | 'refuse';
  readonly disposition: Disposition;
  readonly quantity: number;
};

/** What became of units of an order's line, all together up to now. */
export type RemoteUnits = {
  readonly orderLineId: string;
  readonly received: number;
  readonly missing: number;
  /** Of those received; the rest nobody has looked at. */
  readonly found: readonly InspectionFinding[];
};

/**
 * A parcel to the shop, known by its number or else by its label; without contents it holds all that waits for one.
 */
export type RemoteParcel = {
  readonly carrier?: string;
  readonly trackingNumber?: string;
  readonly trackingUrl?: string;
  readonly labelUrl?: string;
  readonly contents?: readonly { readonly orderLineId: string; readonly quantity: number }[];
};

/** Money that a platform has given back. */
export type RemoteRefund = Omit<Input<'recordRefund'>, 'returnId'>;

/**
 * A platform's return as it stands there now, whichever of its deliveries brought us to look. Everything is told as it is
 * in the end, not as it came about: whoever sees it later, or twice, sees the same.
 */
export type RemoteReturn = {
  readonly platform: string;
  /** The platform's own id. */
  readonly externalId: string;
  readonly orderId: string;
  readonly status: 'requested' | 'approved' | 'rejected' | 'cancelled' | 'completed';
  /** An instant in RFC 3339, UTC, as the others. */
  readonly createdAt: string;
  readonly closedAt?: string;
  /** When we looked. */
  readonly seenAt: string;
  readonly initiatedBy: 'customer' | 'agent';
  readonly lines: readonly RemoteLine[];
  readonly rejection?: { readonly code: string; readonly note?: string };
  readonly parcels: readonly RemoteParcel[];
  readonly units: readonly RemoteUnits[];
};
