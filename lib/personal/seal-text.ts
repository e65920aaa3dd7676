import { randomBytes } from 'node:crypto';
import { digestText } from '../returns/history/history.ts';
import type { Sealed } from '../returns/model/personal.ts';
import type { SaltedText } from '../store/personal/personal.ts';

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

/** What may carry a note, with the seal of it in place of the text, and the text to keep beside the return. */
export const sealNote = <Carrier extends object>(
  carrier: Carrier,
  ref: string,
  note: string | undefined,
): { carrier: Carrier & { note?: Sealed }; texts: SaltedText[] } => {
  if (note === undefined) return { carrier, texts: [] };
  const { seal, text } = sealText(ref, note);
  return { carrier: { ...carrier, note: seal }, texts: [text] };
};
