import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { HistoryKey, KeyRing } from '../../returns/history/mac.ts';

/*
 * The keys of receipts. The secret ReceiptKeys holds texts, as HistoryKeys does, and a P-256 key pair is derived from
 * each text. So CloudFormation can generate the first key, and rotateKeys can add one.
 *
 * The derivation may never change: a receipt verifies only under the public key of the time at which it was signed.
 */

/** A public key of receipts (RFC 7517, RFC 7518 section 6.2.1). */
export type ReceiptJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
};

/** A set of public keys, as receipt-keys publishes it. */
export type ReceiptJwks = { readonly keys: readonly ReceiptJwk[] };

/** A key pair of receipts. */
export type ReceiptKey = { readonly id: string; readonly privateKey: KeyObject; readonly publicJwk: ReceiptJwk };

/** The order n of the base point of P-256 (SP 800-186, 3.2.1.3). */
export const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The bytes of a scalar or coordinate of P-256. */
export const scalarLength = 32;
/** 128 more bits than the order has. A.2.1 asks for 64, so that no scalar is more likely than another. */
const derivedLength = 48;
const salt = 'returns/receipt';

/** Returns a number as 32 bytes, the most significant first. */
export const scalarBytes = (value: bigint): Buffer =>
  Buffer.from(value.toString(16).padStart(scalarLength * 2, '0'), 'hex');

/** Derives the private scalar by extra random bits: d = (c mod (n - 1)) + 1 (FIPS 186-5, A.2.1). */
const privateScalar = ({ id, secret }: HistoryKey): Buffer => {
  const derived = Buffer.from(hkdfSync('sha256', secret, salt, id, derivedLength));
  return scalarBytes((BigInt(`0x${derived.toString('hex')}`) % (p256Order - 1n)) + 1n);
};

/** Derives the key pair of one key of the ring. The same id and secret give the same pair. */
export const deriveReceiptKey = (key: HistoryKey): ReceiptKey => {
  const scalar = privateScalar(key);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(scalar);
  // An uncompressed point: a byte 4, then x and y.
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 1 + scalarLength).toString('base64url'),
    y: point.subarray(1 + scalarLength).toString('base64url'),
  } as const;
  return {
    id: key.id,
    privateKey: createPrivateKey({ key: { ...jwk, d: scalar.toString('base64url') }, format: 'jwk' }),
    publicJwk: { ...jwk, kid: key.id, alg: 'ES256', use: 'sig' },
  };
};

/** Returns the public keys of a ring, in the order of the ring. Former keys stay, because their receipts stay valid. */
export const receiptJwks = ({ keys }: KeyRing): ReceiptJwks => ({
  keys: [...keys.values()].map((key) => deriveReceiptKey(key).publicJwk),
});

/** The date at the start of the id of a key that `rotateKeys` added: `2026-11-26-1a2b3c4d`. */
const creationDate = /^(\d{4}-\d\d-\d\d)-/;
const dayMs = 86_400_000;

/**
 * Returns the key of the ring that signs receipts now. A key of a rotation signs from the second midnight in UTC after
 * its creation, so it is published for a day before. Containers cache the ring for 18 minutes and verifiers the public
 * keys for an hour: without the wait, a verifier could meet a receipt whose key it cannot find. Until then the key
 * before it signs. A key with another id signs at once, so that an operator can replace a stolen key by hand.
 *
 * @param now epoch milliseconds
 */
export const signingKeyOf = ({ current, keys }: KeyRing, now: number): HistoryKey => {
  const isPublished = ({ id }: HistoryKey): boolean => {
    const date = creationDate.exec(id)?.[1];
    const created = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
    return Number.isNaN(created) || now >= created + 2 * dayMs;
  };
  if (isPublished(current)) return current;
  return [...keys.values()].findLast(isPublished) ?? current;
};
