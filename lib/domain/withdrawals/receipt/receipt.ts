import { sign } from 'node:crypto';
import { canonicalJson, sha256 } from '../../returns/history/canonical-json.ts';
import type { Language } from '../../returns/input-checks.ts';
import type { Instant } from '../../returns/model/order.ts';
import { p256Order, type ReceiptKey, scalarBytes, scalarLength } from './receipt-keys.ts';
import { receiptTexts } from './receipt-texts.ts';
import { localTime } from './local-time.ts';

/*
 * A receipt of a declaration of withdrawal: a compact JWS (RFC 7515) with ES256. The header and payload are canonical
 * JSON (RFC 8785), so a receipt has one form, and the stored parts give the same bytes again.
 */

/** The media type of a receipt, in the header (RFC 8725, 3.11). */
export const receiptType = 'withdrawal-receipt+jwt';

/** The content of a declaration, as the consumer wrote it. */
export type DeclaredContent = {
  readonly name: string;
  readonly email: string;
  readonly contract: string;
  /** The goods that the consumer names. Absent for the whole contract. */
  readonly lines?: string;
};

/** The content of a receipt. */
export type ReceiptPayload = {
  /** The issuer. Its public keys are at `keysAddress(iss)` when it is an https address. */
  readonly iss: string;
  readonly jti: string;
  /** The time of signing, in seconds. */
  readonly iat: number;
  /** The local time of the declaration to the second, with its offset: `2026-11-26T03:00:12+01:00`. */
  readonly declaredAt: string;
  readonly timeZone: string;
  readonly content: DeclaredContent & { readonly statement: string };
  /** The first entry of the history. It binds the receipt to the hash chain. */
  readonly chain: { readonly sequence: 1; readonly hash: string };
};

/** What a receipt is made from. */
export type ReceiptInput = {
  readonly issuer: string;
  readonly withdrawalId: string;
  readonly declaredAt: Instant;
  /** The time of signing. It differs when a platform reported an earlier declaration. @default declaredAt */
  readonly issuedAt?: Instant;
  /** An IANA name. */
  readonly timeZone: string;
  readonly content: DeclaredContent;
  readonly language: Language;
  /** The hash of the first entry of the history. */
  readonly entryHash: string;
};

/**
 * The parts of a signed receipt that are stored until erasure. `payload` is stored as text: a new release may have
 * other sentences, and a new table of time zones other offsets.
 */
export type ReceiptParts = {
  /** The payload as canonical JSON. It holds personal data. */
  readonly payload: string;
  readonly keyId: string;
  /** 64 bytes, base64url. */
  readonly signature: string;
};

/** A signed receipt. `sha256` is the hash of the compact JWS in hex. It stays after an erasure. */
export type SignedReceipt = ReceiptParts & { readonly protectedHeader: string; readonly sha256: string };

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** Returns the protected header of a key, as base64url. */
const protectedHeaderOf = (keyId: string): string =>
  base64url(canonicalJson({ alg: 'ES256', typ: receiptType, kid: keyId }));

/** Returns the address of the public keys of an issuer; undefined for an issuer that is no https address. */
export const keysAddress = (issuer: string): string | undefined =>
  issuer.startsWith('https://') ? `${issuer.replace(/\/+$/, '')}/.well-known/withdrawal-receipts.json` : undefined;

/**
 * Returns the content of a receipt.
 *
 * @throws {RangeError} for an unknown time zone or an invalid instant
 */
export const receiptPayload = ({
  issuer,
  withdrawalId,
  declaredAt,
  issuedAt = declaredAt,
  timeZone,
  content: { name, email, contract, lines },
  language,
  entryHash,
}: ReceiptInput): ReceiptPayload => ({
  iss: issuer,
  jti: withdrawalId,
  iat: Math.floor(Date.parse(issuedAt) / 1000),
  declaredAt: localTime(declaredAt, timeZone),
  timeZone,
  content: {
    name,
    email,
    contract,
    ...(lines !== undefined && { lines }),
    statement: receiptTexts[language].statement,
  },
  chain: { sequence: 1, hash: entryHash },
});

/** The first s that is not low. */
export const highS = p256Order / 2n + 1n;

/** The bytes of r and s. */
export const signatureLength = 2 * scalarLength;

/**
 * Returns the signature with the lower s. For each ECDSA signature (r, s) also (r, n - s) is valid. Receipts have only
 * the lower one, so only the holder of the key can make a second receipt with another hash.
 */
const withLowS = (signature: Buffer): Buffer => {
  const s = BigInt(`0x${signature.subarray(scalarLength).toString('hex')}`);
  return s < highS ? signature : Buffer.concat([signature.subarray(0, scalarLength), scalarBytes(p256Order - s)]);
};

/** Returns the compact JWS of a receipt: the same bytes as when it was signed. */
export const buildReceipt = ({ payload, keyId, signature }: ReceiptParts): string =>
  `${protectedHeaderOf(keyId)}.${base64url(payload)}.${signature}`;

/**
 * Signs a receipt. ECDSA is randomized: two signatures of one payload differ, so the signature is stored.
 *
 * @throws {TypeError} for a text with a lone surrogate, which has no canonical JSON
 */
export const signReceipt = (payload: ReceiptPayload, { id, privateKey }: ReceiptKey): SignedReceipt => {
  const text = canonicalJson(payload);
  const protectedHeader = protectedHeaderOf(id);
  const input = Buffer.from(`${protectedHeader}.${base64url(text)}`, 'ascii');
  const signature = withLowS(sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' }));
  const parts: ReceiptParts = { payload: text, keyId: id, signature: signature.toString('base64url') };
  return { ...parts, protectedHeader, sha256: sha256([buildReceipt(parts)]) };
};
