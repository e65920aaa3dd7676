import type { Input } from '../../../contract/contract.ts';

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
};
