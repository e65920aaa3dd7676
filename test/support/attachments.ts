import { createHash } from 'node:crypto';

/** Returns the facts of a file that its upload request contains. */
export const announcementOf = (bytes: Uint8Array, more: object = {}) => ({
  contentType: 'image/jpeg',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('base64'),
  ...more,
});
