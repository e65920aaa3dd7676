import { createHmac } from 'node:crypto';
import { canonicalJson } from '../returns/history/canonical-json.ts';
import type { HistoryKey, KeyRing } from '../returns/history/mac.ts';
import type { DeclaredContent } from './receipt/receipt.ts';

/*
 * A consumer who presses the button twice makes one withdrawal. A keyed hash of the content finds the first one: the
 * hash reveals nothing without the key, and an erasure deletes it.
 */

/** Writes a text without differences of case, width and white space. */
export const normalised = (text: string): string =>
  text.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();

const digestOf = ({ name, email, contract, lines }: DeclaredContent, { secret }: HistoryKey): string => {
  const content = [name, email, contract, ...(lines === undefined ? [] : [lines])].map(normalised);
  // The MACs of histories use the same key on 64 hexadecimal digits, which this text never is.
  return createHmac('sha256', secret)
    .update(canonicalJson(['withdrawal', ...content]))
    .digest('hex');
};

/** The digest under which a new withdrawal is stored, and all digests under which an equal one may be. */
export type DoubleDigests = { readonly stored: string; readonly all: readonly string[] };

/**
 * Returns the digests of a declaration.
 * A new one is stored under the first key of the ring, which rotations retain. Containers learn of a new key up to 18
 * minutes apart, so the current key would let doubles in meanwhile.
 */
export const doubleDigests = (content: DeclaredContent, { current, keys }: KeyRing): DoubleDigests => {
  const digests = [...keys.values()].map((key) => digestOf(content, key));
  return { stored: digests[0] ?? digestOf(content, current), all: digests };
};
