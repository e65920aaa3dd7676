import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Returns a pair of RSA keys of a Saleor. Generating them is slow, so a few serve all tests of a file. */
export const newPair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength });

/** Returns the key set that Saleor publishes. The name of its only key is always "1". */
export const jwksOf = (...publicKeys: readonly KeyObject[]) => ({
  keys: publicKeys.map((key) => ({ ...key.export({ format: 'jwk' }), use: 'sig', kid: '1' })),
});

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The protected header as Saleor's library writes it. */
export const header = { alg: 'RS256', b64: false, crit: ['b64'], kid: '1', typ: 'JWT' };

/** Returns the value of `Saleor-Signature`; another header results in another signature. */
export const signed = (body: Buffer, privateKey: KeyObject, protectedHeader: unknown = header): string => {
  const head = encoded(protectedHeader);
  const signature = createSign('RSA-SHA256').update(`${head}.`).update(body).sign(privateKey, 'base64url');
  return `${head}..${signature}`;
};
