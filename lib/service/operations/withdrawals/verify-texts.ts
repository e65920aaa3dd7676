import { isActorKeyPair } from '../../../store/personal/encrypt-actor.ts';
import { sha256 } from '../../../domain/returns/history/canonical-json.ts';
import { digestText } from '../../../domain/returns/history/history.ts';
import type { KeyRing } from '../../../domain/returns/history/mac.ts';
import { isObject, parseObject } from '../../../runtime/json.ts';
import { actorKeyRef, markerRef, receiptRef, type SaltedText } from '../../../store/personal/personal.ts';
import type { TextRow } from '../../../store/withdrawals/histories.ts';
import { doubleDigests } from '../../../domain/withdrawals/double.ts';
import type { EntryReference, WithdrawalFailure } from '../../../domain/withdrawals/history/verify.ts';
import type { UnsignedWithdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { buildReceipt, type ReceiptParts } from '../../../domain/withdrawals/receipt/receipt.ts';

/*
 * Verifies the texts of a withdrawal against its history. The history has a digest of each text of a person. The other
 * texts follow from it: the key pair of the actors, the marker of equal declarations, and the receipt.
 */

/** A withdrawal whose history is valid, and what its texts are compared with. */
export type VerifiedWithdrawal = {
  readonly state: UnsignedWithdrawal;
  readonly references: readonly EntryReference[];
  /** The hash of the first entry, which the receipt names. */
  readonly firstHash: string;
  /** The last entry whose texts are erased; 0 when none are. */
  readonly erasedThrough: number;
  readonly keys: KeyRing;
};

type Found = SaltedText & { readonly sequence: number };

const saltBytes = 16;

/** Whether a text has the digest of its entry. A salt has one form, so that no change of it stays unknown. */
const hasDigest = ({ salt, text }: Found, digest: string): boolean => {
  const bytes = Buffer.from(salt, 'base64');
  const isSalt = bytes.length === saltBytes && bytes.toString('base64') === salt;
  return isSalt && digestText(text, bytes) === digest;
};

/** Whether the stored parts give the receipt of the history, and the receipt names the history. */
const isReceipt = (text: string, { state, firstHash }: VerifiedWithdrawal): boolean => {
  const { payload, keyId, signature } = parseObject(text) ?? {};
  if (typeof payload !== 'string' || typeof keyId !== 'string' || typeof signature !== 'string') return false;
  const parts = { payload, keyId, signature } satisfies ReceiptParts;
  // The parts have one form, too.
  if (JSON.stringify(parts) !== text) return false;
  const { jti, chain } = (parseObject(payload) ?? {}) as { jti?: unknown; chain?: { hash?: unknown } };
  return (
    sha256([buildReceipt(parts)]) === state.receipt?.sha256 &&
    keyId === state.receipt.keyId &&
    jti === state.id &&
    chain?.hash === firstHash
  );
};

/** Whether the marker is that of the texts. An erasure deletes all of them together. */
const isMarker = (text: string, found: readonly Found[], { state, keys }: VerifiedWithdrawal): boolean => {
  const textOf = (ref: string | undefined) => found.find((text) => text.ref === ref)?.text;
  const { texts } = state;
  const [name, email, contract] = [texts.name, texts.email, texts.contract].map(({ ref }) => textOf(ref));
  if (name === undefined || email === undefined || contract === undefined) return false;
  const lines = textOf(texts.lines?.ref);
  const content = { name, email, contract, ...(lines !== undefined && { lines }) };
  return doubleDigests(content, keys).all.includes(text);
};

/** Returns whether a text is the one that the history determines. */
const isRight = (text: Found, found: readonly Found[], of: VerifiedWithdrawal): boolean => {
  const reference = of.references.find(({ ref }) => ref === text.ref);
  if (reference !== undefined) return text.sequence >= reference.sequence && hasDigest(text, reference.digest);
  if (text.salt !== '' || text.sequence !== 1) return false;
  if (text.ref === actorKeyRef) return isActorKeyPair(text.text, of.state.actorKey);
  if (text.ref === markerRef) return isMarker(text.text, found, of);
  return text.ref === receiptRef && isReceipt(text.text, of);
};

const isText = (text: unknown): text is SaltedText =>
  isObject(text) &&
  ['ref', 'salt', 'text'].every((name) => typeof text[name] === 'string') &&
  Object.keys(text).length === 3;

const failure = (sequence: number, code: WithdrawalFailure['code'], detail: string): WithdrawalFailure => ({
  sequence: Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 1,
  code,
  detail,
});

/** The texts that each withdrawal has, until an erasure. */
const ownRefs = [actorKeyRef, markerRef, receiptRef];

/**
 * Returns the first failure of the texts of a withdrawal: a text that differs, one too many, or one that is missing
 * without an erasure. The detail names a known reference, and never a text.
 */
export const textFailure = (rows: readonly TextRow[], of: VerifiedWithdrawal): WithdrawalFailure | undefined => {
  const unreadable = rows.find(({ texts }) => texts?.every(isText) !== true);
  if (unreadable !== undefined)
    return failure(unreadable.sequence, 'text_differs', 'The texts of the entry cannot be read.');
  const found = rows.flatMap(({ sequence, texts = [] }) => texts.map((text): Found => ({ ...text, sequence })));
  const needed = [...ownRefs.map((ref) => ({ ref, sequence: 1 })), ...of.references];
  const nameOf = (ref: string) =>
    needed.some((known) => known.ref === ref) ? `The text of ${ref}` : 'An unknown text';
  const twice = found.find(({ ref }, index) => found.findIndex((text) => text.ref === ref) !== index);
  if (twice !== undefined) return failure(twice.sequence, 'text_differs', `${nameOf(twice.ref)} is stored twice.`);
  const wrong = found.find((text) => !isRight(text, found, of));
  if (wrong?.ref === receiptRef)
    return failure(wrong.sequence, 'receipt_differs', 'The stored receipt is not the one of the history.');
  if (wrong !== undefined)
    return failure(wrong.sequence, 'text_differs', `${nameOf(wrong.ref)} does not belong to its entry.`);
  const missing = needed.find(
    ({ ref, sequence }) => sequence > of.erasedThrough && found.every((text) => text.ref !== ref),
  );
  if (missing === undefined) return undefined;
  return failure(missing.sequence, 'text_removed', `${nameOf(missing.ref)} is missing, and no erasure deleted it.`);
};
