import { createHmac } from 'node:crypto';
import { foldName, foldText } from '../../domain/withdrawals/same-name.ts';
import type { HistoryKey } from '../../domain/returns/history/mac.ts';
import type { Person } from './personal.ts';

/*
 * The search for customers by a text that only its keyed digest stores. Two texts are equal when their normal forms are.
 * An address has NFKC and full case folding without a locale. A name has no accents and no order of its parts either.
 */

/** The version of the normal forms. A change of them raises it, and `reindexReturns` then writes all digests again. */
const layout = 2;

/** What a search compares. */
export type SearchKind = 'email' | 'name';

/** A text to search for, in its normal form. */
export type SearchedText = { readonly kind: SearchKind; readonly text: string };

/** Unicode folds the dotless i to itself. Its uppercase letter would make it a dotted one. */
const foldsToItself = 'ı';

/**
 * Folds a character: lowercase, then uppercase, then lowercase. The uppercase expands `ß` and ligatures. Single
 * characters have no context, so a final sigma folds like any other.
 */
const foldCharacter = (character: string): string =>
  character === foldsToItself ? character : character.toLowerCase().toUpperCase().toLowerCase();

const fold = (text: string): string => Array.from(text, foldCharacter).join('');

/** Folding can break the normal form, and the normal form can bring back letters to fold. */
const foldOnce = (text: string): string => fold(text.normalize('NFKC')).normalize('NFKC');

const normalForms: Readonly<Record<SearchKind, (text: string) => string>> = {
  // Accents distinguish mailboxes.
  email: (text) => foldOnce(foldOnce(text.normalize('NFD'))),
  // A text that is no name, as one with a number, keeps all its characters.
  name: (text) => foldName(text) || foldText(text),
};

/** Returns the normal form of a text. It is empty for a text of white space. */
export const normalizeSearched = (kind: SearchKind, text: string): string =>
  normalForms[kind](text).replaceAll(/\s+/gu, ' ').trim();

const digest = ({ secret }: HistoryKey, purpose: 'row' | 'log', { kind, text }: SearchedText): string =>
  createHmac('sha256', secret).update(`returns customer search\n${purpose}\n${kind}\n${text}`).digest('hex');

/** Returns the digest of a text in the index. */
export const searchDigest = (key: HistoryKey, searched: SearchedText): string => digest(key, 'row', searched);

/** Returns the digest of a text in the log. It differs from that of the index, so that a log leads to no row. */
export const loggedDigest = (key: HistoryKey, searched: SearchedText): string => digest(key, 'log', searched);

/** Returns the digests under which a person is found: none without a key. */
export const personDigests = (key: HistoryKey | undefined, { email = '', name = '' }: Person): readonly string[] => {
  if (key === undefined) return [];
  const texts: readonly SearchedText[] = [
    { kind: 'email', text: normalizeSearched('email', email) },
    { kind: 'name', text: normalizeSearched('name', name) },
  ];
  return texts.filter(({ text }) => text !== '').map((searched) => searchDigest(key, searched));
};

/** Returns a tag of a key and of the normal forms. Two keys with one id, as of two secrets, differ in it. */
export const keyTag = ({ id, secret }: HistoryKey): string =>
  `${id}.${createHmac('sha256', secret).update(`returns customer search\ntag\n${layout}`).digest('hex').slice(0, 16)}`;
