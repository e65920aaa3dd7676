import { parseObject } from '../json.ts';
import { addressFault } from '../net/address.ts';
import { AccessError } from '../oauth/access-error.ts';
import { fieldNames, parseClientSecret, type ClientSecret } from '../oauth/client-secret.ts';
import { SecretUnavailable, type Secret, type Stage } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { failed, passed, skipped, warning, type Check, type Findings } from './check.ts';

export const secretChecks = ['secret', 'secret versions', 'secret fields'] as const;

/** Besides the names as they are, what people write for them; letters only, in lower case. */
const synonyms: Readonly<Record<string, keyof ClientSecret>> = {
  id: 'clientId',
  secret: 'clientSecret',
  password: 'clientSecret',
  issuer: 'authUrl',
  tokenurl: 'authUrl',
  cert: 'certificate',
  clientcertificate: 'certificate',
  key: 'privateKey',
  clientkey: 'privateKey',
  cacert: 'ca',
  cacertificate: 'ca',
};

const names = Object.keys(fieldNames) as (keyof ClientSecret)[];
const known = new Set(Object.values(fieldNames).flat());
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

const meantBy = (name: string): keyof ClientSecret | undefined =>
  names.find((field) => lettersOf(field) === lettersOf(name)) ??
  (Object.hasOwn(synonyms, lettersOf(name)) ? synonyms[lettersOf(name)] : undefined);

/** The names that nothing reads. One that resembles none of ours is counted only: it could be a secret itself. */
const strangers = (text: string): string => {
  const unread = Object.keys(parseObject(text) ?? {}).filter((name) => !known.has(name));
  const meant = unread.flatMap((name) => {
    const field = meantBy(name);
    return field === undefined ? [] : [`"${name}" (is ${field} meant?)`];
  });
  const others = unread.length - meant.length;
  return [...meant, ...(others === 0 ? [] : [`${others} ${others === 1 ? 'other' : 'others'}`])].join(', ');
};

/** What is wrong with the field that could not be read. */
const faultOf = (text: string, place: string): string => {
  const name = names.find((field) => field === place);
  if (name === undefined) return 'is no JSON object';
  const fields = parseObject(text) ?? {};
  const value = fieldNames[name].map((written) => fields[written]).find((one) => one !== undefined && one !== null);
  if (value === undefined || value === '') return `${name} is missing`;
  return typeof value === 'string' ? `${name} ${addressFault(value)}` : `${name} is not text`;
};

const form = '{ clientId, clientSecret, authUrl?, certificate?, privateKey?, ca? }, each of them text';

const fieldsOf = (text: string): Findings<ClientSecret> => {
  const unread = strangers(text);
  try {
    const fields = parseClientSecret(text);
    const present = names.filter((name) => fields[name] !== undefined).join(', ');
    const told = `${present}; client ${fields.clientId}`;
    const check =
      unread === ''
        ? passed('secret fields', told)
        : warning('secret fields', `${told}; nothing reads ${unread}`, `The secret is ${form}.`);
    return { checks: [check], value: fields };
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const fault = faultOf(text, error.reason.replace('malformed ', ''));
    const told = unread === '' ? fault : `${fault}; nothing reads ${unread}`;
    return { checks: [failed('secret fields', told, `Write the secret as ${form}.`)], value: undefined };
  }
};

const remedies: Readonly<Record<string, string>> = {
  AccessDeniedException: 'Permit secretsmanager:GetSecretValue on this secret to whoever runs this.',
  KmsAccessDenied: 'Permit kms:Decrypt with the key that the secret is encrypted with.',
  DecryptionFailure: 'The KMS key of the secret cannot be used: look whether it is disabled or pending deletion.',
  ResourceNotFoundException: 'Look whether CLIENT_SECRET_ID names a secret of this account and region.',
  InvalidRequestException: 'The secret is marked for deletion: restore it.',
  CredentialsProviderError: 'There are no AWS credentials: log in, or set AWS_PROFILE or AWS_ACCESS_KEY_ID.',
  ExpiredTokenException: 'The AWS credentials have expired: log in again.',
  UnrecognizedClientException: 'AWS does not know these credentials: look at AWS_ACCESS_KEY_ID and AWS_PROFILE.',
  InvalidSignatureException: 'AWS refuses the signature: look at this machine’s clock and AWS_SECRET_ACCESS_KEY.',
  EmptySecret: 'The secret has no value: put one.',
  ThrottlingException: 'Secrets Manager is asked too often: try again.',
};

const network = 'Secrets Manager is not reached: look at region, network, proxy, VPC endpoint and security groups.';

const remedyOf = (reason: string): string => {
  const known = remedies[reason];
  if (known !== undefined) return known;
  return /^E[A-Z_]+$|^(Timeout|Abort)Error$/.test(reason)
    ? network
    : 'Look whether AWS_REGION is set, and into AWS’s status.';
};

const reasonOf = (reason: string): string => {
  if (/^(Timeout|Abort)Error$/.test(reason)) return 'no answer in time';
  return words[reason] ?? reason;
};

/** What is told of reasons that do not tell it themselves. */
const words: Readonly<Record<string, string>> = {
  KmsAccessDenied: 'access to the key that it is encrypted with is denied',
  Error: 'it cannot be asked for',
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
    const absent = !found.ok && found.reason === 'ResourceNotFoundException';
    told.push(
      found.ok
        ? `${stage} ${found.secret.versionId}`
        : `${stage} ${absent ? 'none' : `unknown: ${reasonOf(found.reason)}`}`,
    );
  }
  return passed('secret versions', told.join(', '));
};

/** Whether the secret can be read and holds what it should, and which versions there are. */
export const checkSecret = async (reading: Reading): Promise<Findings<{ secret: Secret; fields: ClientSecret }>> => {
  const current = await read(reading, 'AWSCURRENT');
  if (!current.ok) {
    const { reason } = current;
    return {
      checks: [
        failed('secret', `cannot be read: ${reasonOf(reason)}`, remedyOf(reason)),
        ...skipped(secretChecks.slice(1), 'the secret cannot be read'),
      ],
      value: undefined,
    };
  }
  const { secret } = current;
  const fields = fieldsOf(secret.text);
  return {
    checks: [
      passed('secret', `AWSCURRENT is version ${secret.versionId}`),
      await otherVersions(reading),
      ...fields.checks,
    ],
    value: fields.value === undefined ? undefined : { secret, fields: fields.value },
  };
};
