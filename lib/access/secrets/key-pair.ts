import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { sha256 } from '../../runtime/hash.ts';

/** PEM texts of a client certificate (or a chain that begins with it) and its key. */
export type KeyPair = { readonly certificate: string; readonly privateKey: string };

export type PairCheck =
  | {
      readonly ok: true;
      readonly thumbprint: string;
      /** Epoch milliseconds until which the certificate is valid (RFC 5280, 4.1.2.5). */
      readonly notAfter: number;
    }
  | {
      readonly ok: false;
      readonly reason: 'malformed' | 'key_encrypted' | 'key_mismatch' | 'chain_order' | 'not_yet_valid' | 'expired';
    };

/** PKCS#8 marks encryption in the label (RFC 7468, 11), OpenSSL's older form in a header. */
const isEncrypted = (privateKey: string): boolean =>
  /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: *4,ENCRYPTED/.test(privateKey);

const parse = ({ certificate, privateKey }: KeyPair) => {
  try {
    return { leaf: new X509Certificate(certificate), key: createPrivateKey(privateKey) };
  } catch {
    // The parser's error may describe the key.
    return undefined;
  }
};

/** Whether a later certificate of the chain belongs to the key: TLS uses the first certificate. */
const isOfLater = (certificate: string, key: KeyObject): boolean => {
  const [, ...later] = certificate.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return later.some((pem) => new X509Certificate(pem).checkPrivateKey(key));
  } catch {
    return false;
  }
};

/** Whether a text consists of readable certificates. TLS silently skips unreadable ones. */
export const areCertificates = (pem: string): boolean => {
  const certificates = pem.split('-----BEGIN CERTIFICATE-----').slice(1);
  try {
    for (const rest of certificates) void new X509Certificate(`-----BEGIN CERTIFICATE-----${rest}`);
    return certificates.length > 0;
  } catch {
    return false;
  }
};

/** The TLS material of a client: PEM texts; `ca` replaces the roots that Node trusts. */
type TlsMaterial = { readonly [Name in keyof KeyPair | 'ca']?: string | undefined };

/**
 * Creates the context of all connections. Undefined when TLS would reject the material at the first connection.
 * Examples are a key that is too small, or an unreadable part of a chain.
 */
export const secureContextOf = ({ certificate: cert, privateKey: key, ca }: TlsMaterial): SecureContext | undefined => {
  try {
    // A lookup instead of an import: a bundle without TLS would load the module too.
    return process.getBuiltinModule('node:tls').createSecureContext({ cert, key, ca });
  } catch {
    return undefined;
  }
};

/**
 * Checks a client certificate before its use, so that an invalid pair does not replace a valid one. The thumbprint is
 * `x5t#S256` (RFC 8705, 3.1), to which a certificate-bound token is bound.
 */
export const checkPair = (pair: KeyPair, now: number): PairCheck => {
  const parsed = parse(pair);
  if (parsed === undefined) return { ok: false, reason: isEncrypted(pair.privateKey) ? 'key_encrypted' : 'malformed' };
  const { leaf, key } = parsed;
  if (!leaf.checkPrivateKey(key)) {
    return { ok: false, reason: isOfLater(pair.certificate, key) ? 'chain_order' : 'key_mismatch' };
  }
  if (now < leaf.validFromDate.getTime()) return { ok: false, reason: 'not_yet_valid' };
  const notAfter = leaf.validToDate.getTime();
  if (now > notAfter) return { ok: false, reason: 'expired' };
  return { ok: true, thumbprint: sha256(leaf.raw, 'base64url'), notAfter };
};
