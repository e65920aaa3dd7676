import type { TextReference } from './actor.ts';
import type { Instant } from './order.ts';

/** A parcel: inbound from the customer, outbound when goods are sent back. */
export type Parcel = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly carrier?: string;
  /** This field and the URLs reveal where the customer lives. */
  readonly trackingNumber?: TextReference;
  readonly trackingUrl?: TextReference;
  readonly labelUrl?: TextReference;
  readonly status: 'label_created' | 'in_transit' | 'delivered' | 'exception' | 'lost' | 'cancelled';
  readonly contents: readonly ParcelUnits[];
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

/** The result of an inspection of units of a line. */
export type Inspection = {
  readonly id: string;
  readonly quantity: number;
  /** Units that a correction removed from it. */
  readonly corrected?: number;
  readonly grade?: string;
  readonly outcome: 'accept' | 'refuse';
  readonly disposition: Disposition;
  /** The deduction from the worth of these units. */
  readonly deductionBps: number;
  readonly note?: TextReference;
  readonly at: Instant;
};

/** Missing units, and how many of them are granted. */
export type MissingUnits = {
  readonly quantity: number;
  readonly cause: 'lost_in_transit' | 'not_in_parcel' | 'never_sent';
  readonly granted: number;
};

/** A received item that belongs to no line. It is never paid, but it needs a disposition. */
export type UnexpectedItem = {
  readonly id: string;
  readonly parcelId?: string;
  readonly sku?: string;
  readonly quantity: number;
  readonly note?: TextReference;
  readonly disposition?: Disposition;
};

/** Evidence for a return or one of its lines, as the history stores it. The file is stored apart. */
export type Attachment = {
  readonly id: string;
  readonly lineId?: string;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'application/pdf' | 'video/mp4';
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in base64. */
  readonly sha256: string;
  readonly addedAt: Instant;
};

/** Units of a line that an event is about. */
export type LineUnits = { readonly lineId: string; readonly quantity: number };

/** Units of a line in a parcel. */
export type ParcelUnits = LineUnits & {
  /** How many of them go back to the customer after a repair. The others of an outbound parcel are refused. */
  readonly repaired?: number;
};
