import { X509Certificate } from 'node:crypto';
import type { ClientSecret } from '../../../access/oauth/client-secret.ts';
import { areCertificates, checkPair, secureContextOf } from '../../../access/secrets/key-pair.ts';
import { failed, passed, skipped, warning, type Check, type CheckedValue } from '../check.ts';

export const certificateChecks = ['certificate', 'certificate dates', 'certificate chain', 'ca'] as const;

type Pem = Pick<ClientSecret, 'certificate' | 'privateKey' | 'ca'>;
type CertificateContext = {
  /** Whether the service probably requires one: its URL has TLS. */
  readonly expected: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
};

const day = 24 * 60 * 60_000;
const minDays = 30;

/** The certificates of a PEM text in their order; undefined when one cannot be parsed or there is none. */
const parseAll = (text: string): readonly X509Certificate[] | undefined => {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length === 0 ? undefined : blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
};

const oneLine = (name: string): string => name.replaceAll('\n', ', ');
const dateOf = (at: Date): string => at.toISOString().slice(0, 10);
const isSelfSigned = (certificate: X509Certificate): boolean => certificate.checkIssued(certificate);

const explanations: Readonly<Record<string, readonly [detail: string, remedy: string]>> = {
  malformed: ['certificate or privateKey is not PEM', 'Store both in the secret as PEM, with line breaks (\\n).'],
  unusable: [
    'TLS rejects the pair: the key is too small, or the chain is unreadable',
    'Store a pair with an RSA key of at least 2048 bits or a P-256 key, and with the complete chain.',
  ],
  key_encrypted: ['privateKey is encrypted', 'Store it without a passphrase: openssl pkey -in client.key.'],
  chain_order: [
    'certificate does not begin with the certificate of privateKey',
    'Put the client certificate first, and each issuer after the certificate that it issued.',
  ],
  key_mismatch: ['privateKey does not match the certificate', 'Store the key that the certificate was issued for.'],
};

const datesOf = (leaf: X509Certificate, now: number): Check => {
  const [from, to] = [leaf.validFromDate, leaf.validToDate];
  const days = Math.floor((to.getTime() - now) / day);
  const validity = `valid from ${dateOf(from)} to ${dateOf(to)}`;
  const name = 'certificate dates';
  if (now < from.getTime())
    return failed(name, `${validity}: not valid yet`, 'Wait, restore the previous pair, or correct the clock.');
  if (days < 0)
    return failed(name, `${validity}: expired`, 'Renew the certificate and store the new pair in the secret.');
  if (days < minDays) return warning(name, `${validity}: ${days} days left`, 'Renew the certificate.');
  return passed(name, `${validity}: ${days} days left`);
};

const chainOf = (chain: readonly X509Certificate[], now: number): Check => {
  const name = 'certificate chain';
  const gap = chain.findIndex((certificate, index) => {
    const issuer = chain[index + 1];
    return issuer !== undefined && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  });
  if (gap !== -1) {
    return warning(
      name,
      `certificate ${gap + 2} of ${chain.length} did not issue certificate ${gap + 1}`,
      'Put the client certificate first, and each issuer after the certificate that it issued.',
    );
  }
  const stale = chain.findIndex((certificate, index) => index > 0 && now > certificate.validToDate.getTime());
  if (stale !== -1) {
    return warning(name, `certificate ${stale + 1} of ${chain.length} has expired`, 'Replace it with the renewed one.');
  }
  const top = chain.at(-1);
  if (top === undefined || isSelfSigned(top)) return passed(name, `${chain.length}, complete up to the root`);
  return passed(name, `${chain.length}; the servers must trust the issuer ${oneLine(top.issuer)}`);
};

const caOf = (ca: string | undefined, now: number): Check => {
  if (ca === undefined) return passed('ca', 'none: Node verifies the servers with its own root certificates');
  const trusted = parseAll(ca);
  if (trusted === undefined || !areCertificates(ca))
    return failed('ca', 'is not PEM', 'Store the CA certificates of the servers there.');
  const expired = trusted.filter((certificate) => now > certificate.validToDate.getTime());
  const subjects = (expired.length > 0 ? expired : trusted)
    .map((certificate) => oneLine(certificate.subject))
    .join('; ');
  return expired.length > 0
    ? warning('ca', `${subjects}: expired`, 'Store the current CA certificate of the servers there.')
    : passed('ca', subjects);
};

const pairChecks = (certificate: string, privateKey: string, now: number): readonly Check[] => {
  const pair = { certificate, privateKey };
  const checked = checkPair(pair, now);
  const chain = parseAll(certificate);
  const leaf = chain?.[0];
  const reason =
    checked.ok && secureContextOf(pair) === undefined ? 'unusable' : checked.ok ? undefined : checked.reason;
  const explanation = reason === undefined ? undefined : explanations[reason];
  if (chain === undefined || leaf === undefined || explanation !== undefined) {
    const [detail, remedy] = explanation ?? ['certificate is not PEM', 'Store it in the secret as PEM.'];
    return [
      failed('certificate', detail, remedy),
      ...skipped(['certificate dates', 'certificate chain'], 'the pair is unusable'),
    ];
  }
  const thumbprint = checked.ok ? `x5t#S256 ${checked.thumbprint}; ` : '';
  return [
    passed('certificate', `${oneLine(leaf.subject)}; ${thumbprint}its key matches`),
    datesOf(leaf, now),
    chainOf(chain, now),
  ];
};

const absence = (expected: boolean): readonly Check[] => [
  expected
    ? warning('certificate', 'none: requests have no mutual TLS', 'Store certificate and privateKey in the secret.')
    : passed('certificate', 'none'),
  ...skipped(['certificate dates', 'certificate chain'], 'there is no certificate'),
];

const half = (missing: string): readonly Check[] => [
  failed(
    'certificate',
    `${missing} is missing`,
    `Store ${missing} in the secret, or remove the other half of the pair.`,
  ),
  ...skipped(['certificate dates', 'certificate chain'], 'the pair is incomplete'),
];

/** Checks certificate, key and CA certificates of the secret. The value is true when none of them failed. */
export const checkCertificate = (
  { certificate, privateKey, ca }: Pem,
  { expected, now }: CertificateContext,
): CheckedValue<true> => {
  const pair =
    certificate === undefined
      ? privateKey === undefined
        ? absence(expected)
        : half('certificate')
      : privateKey === undefined
        ? half('privateKey')
        : pairChecks(certificate, privateKey, now);
  const checks = [...pair, caOf(ca, now)];
  return { checks, value: checks.some(({ status }) => status === 'failed') ? undefined : true };
};
