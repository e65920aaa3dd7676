import { createHash } from 'node:crypto';

/** What is told of a file before it is uploaded. */
export const announcementOf = (bytes: Uint8Array, more: object = {}) => ({
  contentType: 'image/jpeg',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('base64'),
  ...more,
});
