import { createHash } from 'node:crypto';

/** Returns the SHA-256 of concatenated texts and bytes, in hex. The domain does not import lib/runtime/hash.ts. */
export const sha256 = (parts: Iterable<string | Uint8Array>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
