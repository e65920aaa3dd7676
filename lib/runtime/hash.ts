import { createHash, type BinaryToTextEncoding } from 'node:crypto';

/** Returns the SHA-256 of a text or of bytes. */
export const sha256Bytes = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Returns the SHA-256 of a text or of bytes as text. */
export const sha256 = (data: string | Uint8Array, encoding: BinaryToTextEncoding): string =>
  createHash('sha256').update(data).digest(encoding);

/**
 * Returns the shard of a key, from 0 to `count - 1`.
 *
 * Stored keys contain it: a shard depends on nothing but the first byte of the hash, and `count` is at most 256.
 */
export const partitionIndexOf = (key: string, count: number): number => (sha256Bytes(key)[0] ?? 0) % count;
