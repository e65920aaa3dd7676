import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Returns a pair of RSA keys of a Saleor. Generating them is slow, so a few serve all tests of a file. */
export const newPair = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength });

/** Returns the key set that Saleor publishes. The name of its only key is always "1". */
export const jwksOf = (...publicKeys: readonly KeyObject[]) => ({
  keys: publicKeys.map((key) => ({ ...key.export({ format: 'jwk' }), use: 'sig', kid: '1' })),
});
