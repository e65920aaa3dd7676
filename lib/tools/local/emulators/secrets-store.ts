import { randomInt, randomUUID } from 'node:crypto';
import { secretArn } from '../../template/cloudformation/deployment.ts';
import { readJson, writePrivateJson } from '../json-file.ts';
import { assertKnownProperties } from '../known-properties.ts';

type Version = {
  readonly secretString?: string;
  /** Base64, as in the API. */
  readonly secretBinary?: string;
  readonly createdDate: number;
  stages: readonly string[];
};
type Secret = { readonly arn: string; readonly name: string; readonly versions: Record<string, Version> };

export type SecretValue = Pick<Version, 'secretString' | 'secretBinary'>;

/** An error of AWS, by its name in the API. */
export class SecretsError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

const missing = (what: string) =>
  new SecretsError('ResourceNotFoundException', `Secrets Manager can't find the specified ${what}.`);

/** Finds a secret by name, by ARN, or by an ARN without its random end. */
const find = (secrets: readonly Secret[], id: string): Secret => {
  const found = secrets.find(({ name, arn }) => id === name || id === arn || id === arn.slice(0, -7));
  if (found === undefined) throw missing('secret');
  return found;
};

const choose = (secret: Secret, versionId: string | undefined, stage: string | undefined): [string, Version] => {
  const entries = Object.entries(secret.versions);
  const wanted = stage ?? (versionId === undefined ? 'AWSCURRENT' : undefined);
  const byStage = entries.find(([, { stages }]) => wanted === undefined || stages.includes(wanted));
  const found = versionId === undefined ? byStage : entries.find(([id]) => id === versionId);
  // A rotation begins with a version that has a label and no value.
  if (found === undefined || (found[1].secretString === undefined && found[1].secretBinary === undefined))
    throw missing(
      `secret value for ${versionId === undefined ? `staging label: ${wanted}` : `VersionId: ${versionId}`}`,
    );
  if (wanted !== undefined && !found[1].stages.includes(wanted)) {
    throw new SecretsError(
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
    );
  }
  return found;
};

/**
 * Moves labels to a version. A label belongs to one version. AWSPREVIOUS moves to the former AWSCURRENT. Versions
 * without labels are deleted.
 */
const label = (secret: Secret, versionId: string, stages: readonly string[]): void => {
  const current = Object.entries(secret.versions).find(([, version]) => version.stages.includes('AWSCURRENT'))?.[0];
  const leaves = current !== undefined && current !== versionId && stages.includes('AWSCURRENT');
  for (const [id, version] of Object.entries(secret.versions)) {
    const taken = leaves ? [...stages, 'AWSPREVIOUS'] : stages;
    const remaining = version.stages.filter((stage) => !taken.includes(stage));
    const own =
      id === versionId
        ? [...remaining, ...stages]
        : leaves && id === current
          ? [...remaining, 'AWSPREVIOUS']
          : remaining;
    version.stages = own;
    if (own.length === 0) delete secret.versions[id];
  }
};

type GeneratedString = {
  readonly PasswordLength?: number;
  readonly ExcludePunctuation?: boolean;
  /** A JSON object. The generated value becomes another member, named by GenerateStringKey. */
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
};

const generatedOptions = new Set(['PasswordLength', 'ExcludePunctuation', 'SecretStringTemplate', 'GenerateStringKey']);

/** Returns the value of a template's GenerateSecretString. */
export const generateSecretString = (options: GeneratedString): string => {
  assertKnownProperties(options, generatedOptions, 'GenerateSecretString');
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  const characters = options.ExcludePunctuation === true ? letters : `${letters}!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`;
  const generated = Array.from({ length: options.PasswordLength ?? 32 }, () =>
    characters.charAt(randomInt(characters.length)),
  ).join('');
  const { SecretStringTemplate: template, GenerateStringKey: key } = options;
  if ((template === undefined) !== (key === undefined))
    throw new Error('GenerateSecretString: SecretStringTemplate and GenerateStringKey go together');
  if (template === undefined || key === undefined) return generated;
  return JSON.stringify({ ...(JSON.parse(template) as object), [key]: generated });
};

type Put = { readonly token?: string; readonly stages?: readonly string[] };

/** Adds a version. The token is its id, so a repeat does no harm. */
const addVersion = (secret: Secret, value: SecretValue, { token = randomUUID(), stages = ['AWSCURRENT'] }: Put) => {
  const known = secret.versions[token];
  const isEmpty = known?.secretString === undefined && known?.secretBinary === undefined;
  if (known !== undefined && isEmpty) secret.versions[token] = { ...known, ...value };
  else if (known === undefined) {
    secret.versions[token] = { ...value, createdDate: Date.now() / 1000, stages: [] };
    label(secret, token, stages);
  } else if (known.secretString !== value.secretString || known.secretBinary !== value.secretBinary) {
    throw new SecretsError('ResourceExistsException', `The version ${token} already exists with another content.`);
  }
  return { arn: secret.arn, name: secret.name, versionId: token, stages: secret.versions[token]?.stages ?? [] };
};

/** The versions of a label before and after its move. */
export type StageMove = { readonly stage: string; readonly to?: string; readonly from?: string };

/** Moves a label as AWS does: `from` must name the version that has it. */
const moveStage = (secret: Secret, { stage, to, from }: StageMove): void => {
  const current = Object.entries(secret.versions).find(([, { stages }]) => stages.includes(stage))?.[0];
  if (to !== undefined && secret.versions[to] === undefined) throw missing(`secret value for VersionId: ${to}`);
  if (current !== undefined && current !== to && current !== from)
    throw new SecretsError(
      'InvalidParameterException',
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${current}.`,
    );
  if (to !== undefined) return label(secret, to, [stage]);
  const version = secret.versions[from ?? ''];
  if (version !== undefined) version.stages = version.stages.filter((known) => known !== stage);
};

/**
 * Whether AWSPENDING is on another version than AWSCURRENT: AWS then begins no rotation.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
const hasOpenRotation = ({ versions }: Secret, token: string): boolean =>
  Object.entries(versions).some(
    ([id, { stages }]) => id !== token && stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
  );

/** Opens the secrets of a data directory, with the versions and labels of Secrets Manager. */
export const openSecrets = async (file: string) => {
  const secrets: Secret[] = (await readJson<Secret[]>(file)) ?? [];
  // Writes are sequential: of two concurrent ones, the older state could stay on the disk.
  let saved = Promise.resolve();
  const put = async (id: string, value: SecretValue, options: Put = {}) => {
    const added = addVersion(find(secrets, id), value, options);
    saved = saved.then(() => writePrivateJson(file, secrets));
    await saved;
    return added;
  };
  return {
    has: (name: string): boolean => secrets.some((secret) => secret.name === name),
    get: (id: string, { versionId, stage }: { versionId?: string; stage?: string } = {}) => {
      const secret = find(secrets, id);
      const [chosen, version] = choose(secret, versionId, stage);
      return { arn: secret.arn, name: secret.name, versionId: chosen, ...version };
    },
    put,
    /** Returns the labels of each version. */
    describe: (id: string) => {
      const { arn, name, versions } = find(secrets, id);
      const labels = Object.entries(versions).map(([version, { stages }]) => [version, stages] as const);
      return { arn, name, labels: Object.fromEntries(labels) };
    },
    moveStage: async (id: string, move: StageMove) => {
      const secret = find(secrets, id);
      moveStage(secret, move);
      saved = saved.then(() => writePrivateJson(file, secrets));
      await saved;
      return { arn: secret.arn, name: secret.name };
    },
    /** Begins a rotation: a version with AWSPENDING and no value. The caller invokes the rotation function. */
    beginRotation: async (id: string, token: string = randomUUID()) => {
      const secret = find(secrets, id);
      if (hasOpenRotation(secret, token))
        throw new SecretsError('InvalidRequestException', "A previous rotation isn't complete.");
      secret.versions[token] ??= { createdDate: Date.now() / 1000, stages: [] };
      label(secret, token, ['AWSPENDING']);
      saved = saved.then(() => writePrivateJson(file, secrets));
      await saved;
      return { arn: secret.arn, name: secret.name, versionId: token };
    },
    /** A secret without a value has no version until the first put. */
    create: async (name: string, value?: SecretValue, token?: string) => {
      if (secrets.some((secret) => secret.name === name)) {
        throw new SecretsError('ResourceExistsException', `The secret ${name} already exists.`);
      }
      const arn = secretArn(name);
      secrets.push({ arn, name, versions: {} });
      if (value === undefined) return { arn, name, versionId: undefined };
      return put(name, value, token === undefined ? {} : { token });
    },
    /** Removes a secret with all its versions. Without it, nothing changes. */
    remove: async (name: string) => {
      const at = secrets.findIndex((secret) => secret.name === name);
      if (at !== -1) secrets.splice(at, 1);
      saved = saved.then(() => writePrivateJson(file, secrets));
      await saved;
    },
    saved: () => saved,
  };
};

export type Secrets = Awaited<ReturnType<typeof openSecrets>>;
