import type { ClientSecret } from '../../../access/oauth/client-secret.ts';
import { noRegion } from '../../../access/secrets/failure-reason.ts';
import { notFound, SecretUnavailable, type Secret, type Stage } from '../../../access/secrets/secret.ts';
import type { SecretSource } from '../../../access/secrets/source.ts';
import { failed, passed, skipped, type Check, type CheckedValue } from '../check.ts';
import { checkFields } from './secret-fields.ts';

export const secretChecks = ['secret', 'secret versions', 'secret fields'] as const;

const remedies: Readonly<Record<string, string>> = {
  AccessDeniedException: 'Grant secretsmanager:GetSecretValue on this secret to the role that runs the doctor.',
  KmsAccessDenied: 'Grant kms:Decrypt on the KMS key of the secret.',
  DecryptionFailure: 'The KMS key of the secret is unusable. Check whether it is disabled or pending deletion.',
  [notFound]: 'Check that {variable} names a secret of this account and region, and that the secret has a value.',
  InvalidRequestException: 'The secret is scheduled for deletion. Restore it.',
  CredentialsProviderError: 'The AWS credentials are missing. Log in, or set AWS_PROFILE or AWS_ACCESS_KEY_ID.',
  ExpiredTokenException: 'The AWS credentials have expired. Log in again.',
  UnrecognizedClientException: 'AWS does not know these credentials. Check AWS_ACCESS_KEY_ID and AWS_PROFILE.',
  InvalidSignatureException: 'AWS rejects the signature. Check the clock of this machine and AWS_SECRET_ACCESS_KEY.',
  [noRegion]: 'Set AWS_REGION to the region of the secret.',
  EmptySecret: 'The secret has no value. Store one.',
  ThrottlingException: 'Secrets Manager throttles the call. Run the doctor again later.',
};

/** Remedies by pattern of the reason. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_)/,
    'The certificate of the endpoint is not trusted. Check the proxy, AWS_ENDPOINT_URL and NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^E[A-Z_]+$|^(Timeout|Abort)Error$/,
    'Secrets Manager is unreachable. Check region, network, proxy, VPC endpoint and security groups.',
  ],
  [
    /^(status_|UND_ERR_|too_large$|reset$|SyntaxError$)/,
    'The response is not from Secrets Manager. Check proxy, VPC endpoint, AWS_ENDPOINT_URL and the status of AWS.',
  ],
];

/**
 * Returns the remedy for a reason.
 *
 * @param variable the variable that names the secret
 */
export const remedyOf = (reason: string, variable: string): string => {
  const remedy = remedies[reason] ?? kinds.find(([pattern]) => pattern.test(reason))?.[1];
  return remedy?.replace('{variable}', variable) ?? 'Check that AWS_REGION is set, and the status of AWS.';
};

/** Texts for reasons whose code is not clear. */
const words: Readonly<Record<string, string>> = {
  KmsAccessDenied: 'access to its KMS key is denied',
  Error: 'the request failed',
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

/** Lists the other versions, which the functions try when the current one is rejected. */
const otherVersions = async (reading: Reading): Promise<Check> => {
  const details: string[] = [];
  for (const stage of ['AWSPREVIOUS', 'AWSPENDING'] as const) {
    const found = await read(reading, stage);
    const absent = !found.ok && found.reason === notFound;
    details.push(
      found.ok
        ? `${stage} ${found.secret.versionId}`
        : `${stage} ${absent ? 'none' : `unknown: ${reasonOf(found.reason)}`}`,
    );
  }
  return passed('secret versions', details.join(', '));
};

/** Checks that the secret is readable and has the required fields, and lists its versions. */
export const checkSecret = async (
  reading: Reading,
): Promise<CheckedValue<{ secret: Secret; fields: ClientSecret }>> => {
  const current = await read(reading, 'AWSCURRENT');
  if (!current.ok) {
    const { reason } = current;
    return {
      checks: [
        failed('secret', `unreadable: ${reasonOf(reason)}`, remedyOf(reason, 'CLIENT_SECRET_ID')),
        ...skipped(secretChecks.slice(1), 'the secret is unreadable'),
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
