import { randomBytes } from 'node:crypto';
import { digestText } from '../../returns/history.ts';
import type { Sealed } from '../../returns/return.ts';
import type { SaltedText } from '../../store/personal.ts';

/**
 * Parts a personal text from what the history keeps of it: the seal goes into the entry, the text with its salt beside
 * the return, where it can be erased.
 *
 * @param ref where in the return the text belongs
 */
export const sealText = (ref: string, text: string): { seal: Sealed; text: SaltedText } => {
  const salt = randomBytes(16);
  return { seal: { ref, digest: digestText(text, salt) }, text: { ref, salt: salt.toString('base64'), text } };
};
