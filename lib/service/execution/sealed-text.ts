import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';

/*
 * Texts that callers store and send back, but can neither read nor change: AES-256-GCM. A signed text is readable.
 */

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Derives the key of a purpose. A derived key has one use, so a sealed text never opens as another one. */
const deriveKey = (key: string, purpose: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(canonicalJson(['sealed', purpose]))
    .digest();

/** Encrypts a text by the key for a purpose. Each result differs. */
export const sealText = (text: string, purpose: readonly string[], key: string): string => {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, deriveKey(key, purpose), nonce);
  return Buffer.concat([nonce, sealing.update(text), sealing.final(), sealing.getAuthTag()]).toString('base64url');
};

/** Returns the text of a sealed one; undefined when it was changed, or sealed by another key or for another purpose. */
export const unsealText = (sealed: string, purpose: readonly string[], key: string): string | undefined => {
  const bytes = Buffer.from(sealed, 'base64url');
  // Other texts can decode to the same bytes.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== sealed) return undefined;
  const opening = createDecipheriv(cipher, deriveKey(key, purpose), bytes.subarray(0, nonceBytes));
  opening.setAuthTag(bytes.subarray(-tagBytes));
  const text = opening.update(bytes.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([text, opening.final()]).toString();
  } catch {
    return undefined;
  }
};
