import { X509Certificate } from 'node:crypto';
import type { ClientSecret } from '../../oauth/client-secret.ts';
import { areCertificates, checkPair, secureContextOf } from '../../secrets/key-pair.ts';
import { failed, passed, skipped, warning, type Check, type CheckedValue } from '../check.ts';

export const certificateChecks = ['certificate', 'certificate dates', 'certificate chain', 'ca'] as const;

type Pem = Pick<ClientSecret, 'certificate' | 'privateKey' | 'ca'>;
type CertificateContext = {
  /** Whether the addresses are such that the service will want one. */
  readonly expected: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
};

const day = 24 * 60 * 60_000;
const minDays = 30;

/** The certificates of a PEM text in their order; undefined when one of them, or all, cannot be read. */
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
const isSelfSigned = (one: X509Certificate): boolean => one.checkIssued(one);

const explanations: Readonly<Record<string, readonly [detail: string, remedy: string]>> = {
  malformed: ['certificate or privateKey is no PEM', 'Put both into the secret as PEM, with their line breaks (\\n).'],
  unusable: [
    'TLS takes no such pair: a key that is too small, or a chain that cannot be read',
    'Put a pair there with an RSA key of 2048 bits or more, or one on P-256, and with its chain whole.',
  ],
  key_encrypted: [
    'privateKey is encrypted, and nothing here has its passphrase',
    'Put the key there without one: openssl pkey -in client.key.',
  ],
  chain_order: [
    'certificate begins with another certificate than that of privateKey',
    'Put the client’s own certificate first, and after each the one that issued it.',
  ],
  key_mismatch: [
    'privateKey is not the key of the certificate',
    'Put the key there that the certificate was asked for with.',
  ],
};

const datesOf = (leaf: X509Certificate, now: number): Check => {
  const [from, to] = [leaf.validFromDate, leaf.validToDate];
  const days = Math.floor((to.getTime() - now) / day);
  const told = `valid from ${dateOf(from)} to ${dateOf(to)}`;
  const name = 'certificate dates';
  if (now < from.getTime())
    return failed(name, `${told}: not yet`, 'Wait, put the pair before it back, or set the clock.');
  if (days < 0) return failed(name, `${told}: expired`, 'Renew the certificate and put the new pair into the secret.');
  if (days < minDays) return warning(name, `${told}: ${days} days left`, 'Renew the certificate.');
  return passed(name, `${told}: ${days} days left`);
};

const chainOf = (chain: readonly X509Certificate[], now: number): Check => {
  const name = 'certificate chain';
  const gap = chain.findIndex((one, index) => {
    const issuer = chain[index + 1];
    return issuer !== undefined && !(one.checkIssued(issuer) && one.verify(issuer.publicKey));
  });
  if (gap !== -1) {
    return warning(
      name,
      `certificate ${gap + 2} of ${chain.length} has not issued certificate ${gap + 1}`,
      'Put the certificate first and after each the one that issued it.',
    );
  }
  const stale = chain.findIndex((one, index) => index > 0 && now > one.validToDate.getTime());
  if (stale !== -1) {
    return warning(name, `certificate ${stale + 1} of ${chain.length} has expired`, 'Put its successor in its place.');
  }
  const top = chain.at(-1);
  if (top === undefined || isSelfSigned(top)) return passed(name, `${chain.length}, complete to its root`);
  return passed(name, `${chain.length}; the servers must know their issuer: ${oneLine(top.issuer)}`);
};

const caOf = (ca: string | undefined, now: number): Check => {
  if (ca === undefined) return passed('ca', 'none: the servers are held against the roots that Node trusts');
  const trusted = parseAll(ca);
  if (trusted === undefined || !areCertificates(ca))
    return failed('ca', 'is no PEM', 'Put the certificates there that vouch for the servers.');
  const expired = trusted.filter((one) => now > one.validToDate.getTime());
  const subjects = (expired.length > 0 ? expired : trusted).map((one) => oneLine(one.subject)).join('; ');
  return expired.length > 0
    ? warning('ca', `${subjects}: expired`, 'Put the certificate there that the servers’ certificates come from now.')
    : passed('ca', subjects);
};

const pairChecks = (certificate: string, privateKey: string, now: number): readonly Check[] => {
  const pair = { certificate, privateKey };
  const verdict = checkPair(pair, now);
  const chain = parseAll(certificate);
  const leaf = chain?.[0];
  const reason =
    verdict.ok && secureContextOf(pair) === undefined ? 'unusable' : verdict.ok ? undefined : verdict.reason;
  const fault = reason === undefined ? undefined : explanations[reason];
  if (chain === undefined || leaf === undefined || fault !== undefined) {
    const [detail, remedy] = fault ?? ['certificate is no PEM', 'Put it into the secret as PEM.'];
    return [
      failed('certificate', detail, remedy),
      ...skipped(['certificate dates', 'certificate chain'], 'the pair cannot be used'),
    ];
  }
  const thumbprint = verdict.ok ? `x5t#S256 ${verdict.thumbprint}; ` : '';
  return [
    passed('certificate', `${oneLine(leaf.subject)}; ${thumbprint}its key matches`),
    datesOf(leaf, now),
    chainOf(chain, now),
  ];
};

const absence = (expected: boolean): readonly Check[] => [
  expected
    ? warning('certificate', 'none: there is no mutual TLS', 'Put certificate and privateKey into the secret.')
    : passed('certificate', 'none'),
  ...skipped(['certificate dates', 'certificate chain'], 'there is no certificate'),
];

const half = (missing: string): readonly Check[] => [
  failed('certificate', `there is no ${missing}`, `Put ${missing} into the secret, or take its other half out.`),
  ...skipped(['certificate dates', 'certificate chain'], 'the pair is not complete'),
];

/** Whether certificate, key and trusted roots of the secret can be used; the value tells that nothing stands against it. */
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
