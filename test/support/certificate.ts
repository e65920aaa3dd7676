import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { plant } from './emitted/record.ts';

/** A certificate and its key, as PEM. The key is in PKCS#8. */
export type TestCertificate = {
  readonly certificate: string;
  readonly privateKey: string;
  /** `x5t#S256` (RFC 8705, 3.1). */
  readonly thumbprint: string;
};

/** The options of a certificate besides its name. */
export type Issuing = {
  /** Epoch milliseconds. By default the certificate is valid for some years before and after now. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /**
   * PKCS#8 PEM of a key to certify again, as in a renewal.
   * @default a new one on P-256
   */
  readonly privateKey?: string;
  /** @default localhost and 127.0.0.1 */
  readonly host?: string;
};

/** Issues certificates for servers and clients. */
export type TestAuthority = {
  /** Its own certificate. */
  readonly certificate: string;
  /** Issues a certificate with a new serial number. */
  readonly issue: (name: string, options?: Issuing) => TestCertificate;
  /** Issues an intermediate authority. Its certificates are trusted only together with its own certificate. */
  readonly intermediate: (name: string, validity?: Partial<Validity>) => TestAuthority;
};

type Signer = { readonly name: string; readonly key: KeyObject };
type Subject = { readonly name: string; readonly key: KeyObject; readonly extension: Buffer };
type Validity = { readonly validFrom: number; readonly validTo: number };

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const hex = (text: string) => Buffer.from(text, 'hex');
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const octets = (...parts: readonly Buffer[]) => der(0x04, ...parts);
const yes = hex('0101ff');
const oid = {
  ecdsaSha256: hex('06082a8648ce3d040302'),
  commonName: hex('0603550403'),
  altName: hex('0603551d11'),
  basicConstraints: hex('0603551d13'),
};
const algorithm = sequence(oid.ecdsaSha256);
const nameOf = (text: string) => sequence(der(0x31, sequence(oid.commonName, der(0x0c, Buffer.from(text)))));
const dnsName = (host: string) => der(0x82, Buffer.from(host));
const loopback = [dnsName('localhost'), der(0x87, Buffer.from([127, 0, 0, 1]))];
const altNames = (host: string | undefined) =>
  sequence(oid.altName, octets(sequence(...(host === undefined ? loopback : [dnsName(host)]))));
const isAuthority = sequence(oid.basicConstraints, yes, octets(sequence(yes)));

const time = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const always: Validity = { validFrom: Date.UTC(2020, 0), validTo: Date.UTC(2040, 0) };

const ecKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** Returns a certificate of version 3 (RFC 5280, 4.1). The signing key is on P-256 for any key of the subject. */
const certify = (subject: Subject, issuer: Signer, { validFrom, validTo }: Validity): TestCertificate => {
  const toBeSigned = sequence(
    der(0xa0, hex('020102')),
    // Positive, and without a leading zero, which would shorten it.
    der(0x02, randomBytes(9).fill(1, 0, 1)),
    algorithm,
    nameOf(issuer.name),
    sequence(time(validFrom), time(validTo)),
    nameOf(subject.name),
    createPublicKey(subject.key).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subject.extension)),
  );
  const raw = sequence(toBeSigned, algorithm, der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, issuer.key)));
  const lines = raw.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n');
  const privateKey = subject.key.export({ type: 'pkcs8', format: 'pem' }).toString();
  // The first line may equal that of any other key, and the last line may have a few letters only.
  plant(
    privateKey
      .split('\n')
      .slice(2, -2)
      .filter(({ length }) => length >= 32),
  );
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    privateKey,
    thumbprint: createHash('sha256').update(raw).digest('base64url'),
  };
};

/** Returns a self-signed certificate for this machine. */
export const testCertificate = (name: string, validFrom: number, validTo: number): TestCertificate => {
  const key = ecKey();
  return certify({ name, key, extension: altNames(undefined) }, { name, key }, { validFrom, validTo });
};

const authority = (name: string, issuer?: Signer, validity: Partial<Validity> = {}): TestAuthority => {
  const key = ecKey();
  const own: Signer = { name, key };
  const lasting = { ...always, ...validity };
  return {
    certificate: certify({ ...own, extension: isAuthority }, issuer ?? own, lasting).certificate,
    issue: (subject, { privateKey, host, ...dates } = {}) =>
      certify(
        {
          name: subject,
          key: privateKey === undefined ? ecKey() : createPrivateKey(privateKey),
          extension: altNames(host),
        },
        own,
        { ...always, ...dates },
      ),
    intermediate: (below, dates) => authority(below, own, dates),
  };
};

/** Creates a root authority. Only clients that are configured with it trust it. */
export const testAuthority = (name: string, validity?: Partial<Validity>): TestAuthority =>
  authority(name, undefined, validity);
