import type { TextReference } from './actor.ts';
import type { Instant } from './order.ts';

/** What travels: inbound from the customer, outbound when goods are sent back. */
export type Parcel = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly carrier?: string;
  /** These lead to where the customer lives. */
  readonly trackingNumber?: TextReference;
  readonly trackingUrl?: TextReference;
  readonly labelUrl?: TextReference;
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
  readonly note?: TextReference;
  readonly at: Instant;
};

/** Units that did not come, and how many of them are honoured all the same. */
export type MissingUnits = {
  readonly quantity: number;
  readonly cause: 'lost_in_transit' | 'not_in_parcel' | 'never_sent';
  readonly granted: number;
};

/** What came and belongs to no line: never money, but it wants a disposition. */
export type UnexpectedItem = {
  readonly id: string;
  readonly parcelId?: string;
  readonly sku?: string;
  readonly quantity: number;
  readonly note?: TextReference;
  readonly disposition?: Disposition;
};

/** A file that shows something of a return or one of its lines, as the history keeps it: the file itself lies apart. */
export type Attachment = {
  readonly id: string;
  readonly lineId?: string;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'application/pdf' | 'video/mp4';
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in base64. */
  readonly sha256: string;
  readonly addedAt: Instant;
};

/** Units of a line that something happened to. */
export type LineUnits = { readonly lineId: string; readonly quantity: number };
