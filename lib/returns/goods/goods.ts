import type { LineUnits } from '../history/entry.ts';
import type { Instant } from '../order.ts';
import type { Sealed } from '../return.ts';

/** The fields of a parcel that are kept as personal texts. */
export const sealedOfParcel = ['trackingNumber', 'trackingUrl', 'labelUrl'] as const;

/** What travels: inbound from the customer, outbound when goods are sent back. */
export type Parcel = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly carrier?: string;
  /** These lead to where the customer lives. */
  readonly trackingNumber?: Sealed;
  readonly trackingUrl?: Sealed;
  readonly labelUrl?: Sealed;
  readonly status: 'label_created' | 'in_transit' | 'delivered' | 'exception' | 'lost' | 'cancelled';
  readonly contents: readonly LineUnits[];
  readonly events: readonly { readonly status: Parcel['status']; readonly at: Instant }[];
};

export type Disposition =
  | 'restock'
  | 'refurbish'
  | 'repair'
  | 'return_to_vendor'
  | 'donate'
  | 'recycle'
  | 'destroy'
  | 'quarantine'
  | 'return_to_customer';

/** What somebody found who looked at units of a line. */
export type Inspection = {
  readonly id: string;
  readonly quantity: number;
  /** Units that a correction took out of it. */
  readonly corrected?: number;
  readonly grade?: string;
  readonly outcome: 'accept' | 'refuse';
  readonly disposition: Disposition;
  /** What is taken off the worth of these units. */
  readonly deductionBps: number;
  readonly note?: Sealed;
  readonly at: Instant;
};

/** As many as a return may have. */
export const mostInspections = 100;

/** Units that did not come, and how many of them are honoured all the same. */
export type MissingUnits = {
  readonly quantity: number;
  readonly cause: 'lost_in_transit' | 'not_in_parcel' | 'never_sent';
  readonly granted: number;
};

/** What came and belongs to no line: never money, but it wants a disposition. */
export type Unexpected = {
  readonly id: string;
  readonly parcelId?: string;
  readonly sku?: string;
  readonly quantity: number;
  readonly note?: Sealed;
  readonly disposition?: Disposition;
};

/** Whether nobody has said yet what becomes of an item. */
export const undisposed = ({ disposition }: Unexpected): boolean => disposition === undefined;
