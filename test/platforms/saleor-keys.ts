import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A pair of RSA keys of a Saleor. Making them takes long: a few serve all tests of a file. */
export const newPair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength });

/** The key set that Saleor publishes: its one key is always called "1". */
export const jwksOf = (...publicKeys: readonly KeyObject[]) => ({
  keys: publicKeys.map((key) => ({ ...key.export({ format: 'jwk' }), use: 'sig', kid: '1' })),
});

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The protected header as Saleor's library writes it. */
export const header = { alg: 'RS256', b64: false, crit: ['b64'], kid: '1', typ: 'JWT' };

/** What Saleor puts into `Saleor-Signature`; another header makes another signature. */
export const signed = (body: Buffer, privateKey: KeyObject, protectedHeader: unknown = header): string => {
  const head = encoded(protectedHeader);
  const signature = createSign('RSA-SHA256').update(`${head}.`).update(body).sign(privateKey, 'base64url');
  return `${head}..${signature}`;
};
