import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate for 127.0.0.1 and its key, as PEM. */
export type TestCertificate = {
  readonly certificate: string;
  readonly privateKey: string;
  /** `x5t#S256` (RFC 8705, 3.1). */
  readonly thumbprint: string;
};

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const hex = (text: string) => Buffer.from(text, 'hex');
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = { ecdsaSha256: hex('06082a8648ce3d040302'), commonName: hex('0603550403'), altName: hex('0603551d11') };
const algorithm = sequence(oid.ecdsaSha256);
const nameOf = (text: string) => sequence(der(0x31, sequence(oid.commonName, der(0x0c, Buffer.from(text)))));

const time = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

/** Version 3 (RFC 5280, 4.1): an EC key on P-256, valid for localhost and 127.0.0.1. */
export const testCertificate = (name: string, validFrom: number, validTo: number): TestCertificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const altNames = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const toBeSigned = sequence(
    der(0xa0, hex('020102')),
    der(0x02, createHash('sha256').update(name).digest().subarray(0, 8).fill(1, 0, 1)),
    algorithm,
    nameOf(name),
    sequence(time(validFrom), time(validTo)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid.altName, der(0x04, altNames)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const raw = sequence(toBeSigned, algorithm, signature);
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${raw.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    thumbprint: createHash('sha256').update(raw).digest('base64url'),
  };
};
