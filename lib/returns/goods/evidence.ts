import type { Instant } from '../order.ts';

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

/** As many as a return may have. */
export const mostEvidence = 100;
