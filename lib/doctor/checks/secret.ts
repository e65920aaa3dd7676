import type { ClientSecret } from '../../oauth/client-secret.ts';
import { noRegion } from '../../secrets/failure-reason.ts';
import { notFound, SecretUnavailable, type Secret, type Stage } from '../../secrets/secret.ts';
import type { SecretSource } from '../../secrets/source.ts';
import { failed, passed, skipped, type Check, type CheckedValue } from '../check.ts';
import { checkFields } from './secret-fields.ts';

export const secretChecks = ['secret', 'secret versions', 'secret fields'] as const;

const remedies: Readonly<Record<string, string>> = {
  AccessDeniedException: 'Permit secretsmanager:GetSecretValue on this secret to whoever runs this.',
  KmsAccessDenied: 'Permit kms:Decrypt with the key that the secret is encrypted with.',
  DecryptionFailure: 'The KMS key of the secret cannot be used: look whether it is disabled or pending deletion.',
  [notFound]: 'Look whether {variable} names a secret of this account and region, and whether it has a value.',
  InvalidRequestException: 'The secret is marked for deletion: restore it.',
  CredentialsProviderError: 'There are no AWS credentials: log in, or set AWS_PROFILE or AWS_ACCESS_KEY_ID.',
  ExpiredTokenException: 'The AWS credentials have expired: log in again.',
  UnrecognizedClientException: 'AWS does not know these credentials: look at AWS_ACCESS_KEY_ID and AWS_PROFILE.',
  InvalidSignatureException: 'AWS refuses the signature: look at this machine’s clock and AWS_SECRET_ACCESS_KEY.',
  [noRegion]: 'Set AWS_REGION to the region of the secret.',
  EmptySecret: 'The secret has no value: put one.',
  ThrottlingException: 'Secrets Manager is asked too often: try again.',
};

/** By what reasons begin with, or all of them are. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_)/,
    'Who answers shows a certificate that is not trusted: look at proxy, AWS_ENDPOINT_URL and NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^E[A-Z_]+$|^(Timeout|Abort)Error$/,
    'Secrets Manager is not reached: look at region, network, proxy, VPC endpoint and security groups.',
  ],
  [
    /^(status_|UND_ERR_|too_large$|reset$|SyntaxError$)/,
    'Who answers is not Secrets Manager: look at proxy, VPC endpoint and AWS_ENDPOINT_URL, and into AWS’s status.',
  ],
];

/** @param variable what names the secret */
export const remedyOf = (reason: string, variable: string): string => {
  const remedy = remedies[reason] ?? kinds.find(([pattern]) => pattern.test(reason))?.[1];
  return remedy?.replace('{variable}', variable) ?? 'Look whether AWS_REGION is set, and into AWS’s status.';
};

/** What is told of reasons that do not tell it themselves. */
const words: Readonly<Record<string, string>> = {
  KmsAccessDenied: 'access to the key that it is encrypted with is denied',
  Error: 'it cannot be asked for',
};

export const reasonOf = (reason: string): string => {
  if (/^(Timeout|Abort)Error$/.test(reason)) return 'no answer in time';
  return words[reason] ?? reason;
};

type Read = { readonly ok: true; readonly secret: Secret } | { readonly ok: false; readonly reason: string };
type Reading = { readonly source: SecretSource; readonly secretId: string; readonly signal: AbortSignal };

const read = async ({ source, secretId, signal }: Reading, stage: Stage): Promise<Read> => {
  try {
    return { ok: true, secret: await source.read(secretId, { stage, signal }) };
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    return { ok: false, reason: error.reason };
  }
};

/** Whether there is another version that the functions would try when the current one is refused. */
const otherVersions = async (reading: Reading): Promise<Check> => {
  const told: string[] = [];
  for (const stage of ['AWSPREVIOUS', 'AWSPENDING'] as const) {
    const found = await read(reading, stage);
    const absent = !found.ok && found.reason === notFound;
    told.push(
      found.ok
        ? `${stage} ${found.secret.versionId}`
        : `${stage} ${absent ? 'none' : `unknown: ${reasonOf(found.reason)}`}`,
    );
  }
  return passed('secret versions', told.join(', '));
};

/** Whether the secret can be read and holds what it should, and which versions there are. */
export const checkSecret = async (
  reading: Reading,
): Promise<CheckedValue<{ secret: Secret; fields: ClientSecret }>> => {
  const current = await read(reading, 'AWSCURRENT');
  if (!current.ok) {
    const { reason } = current;
    return {
      checks: [
        failed('secret', `cannot be read: ${reasonOf(reason)}`, remedyOf(reason, 'CLIENT_SECRET_ID')),
        ...skipped(secretChecks.slice(1), 'the secret cannot be read'),
      ],
      value: undefined,
    };
  }
  const { secret } = current;
  const fields = checkFields(secret.text);
  return {
    checks: [
      passed('secret', `AWSCURRENT is version ${secret.versionId}`),
      await otherVersions(reading),
      ...fields.checks,
    ],
    value: fields.value === undefined ? undefined : { secret, fields: fields.value },
  };
};
