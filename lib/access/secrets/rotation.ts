import {
  DescribeSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { systemClock as clock } from '../net/clock.ts';
import { errorName, log } from '../../runtime/log.ts';
import { failureReason } from './failure-reason.ts';
import { fetchSecret, putSecret } from './fetch-secret.ts';
import { notFound, type Secret, SecretUnavailable, type Stage } from './secret.ts';

/*
 * The protocol of a rotation function of Secrets Manager: four invocations for one new version. Secrets Manager repeats
 * a failed rotation, so each step has no second effect.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** An invocation by Secrets Manager. The token is the id of the new version. */
export type RotationEvent = {
  readonly SecretId: string;
  readonly ClientRequestToken: string;
  readonly Step: string;
};

/** What a rotation does with one secret. */
export type Rotation = {
  /** Returns the text of the new version. It runs once, or again if its text was not stored. */
  readonly create: (current: Secret) => Promise<string>;
  /** Rejects if the new version does not work. */
  readonly test: (pending: Secret, current: Secret) => Promise<void>;
  /** Whether AWSCURRENT changed since the new version was made from it. That version is then given up. */
  readonly isOutdated?: (pending: Secret, current: Secret) => boolean;
};

/** A step of a rotation failed. AWSCURRENT is unchanged. `reason` is one word, because other texts may quote a secret. */
export class RotationFailed extends Error {
  override readonly name = 'RotationFailed';
  readonly reason: string;

  constructor(reason: string) {
    super(`the secret was not rotated: ${reason}`);
    this.reason = reason;
  }
}

/** The part of the SDK's client that a rotation uses. */
type RotationClient = Pick<SecretsManagerClient, 'send'>;

type Run = {
  readonly client: RotationClient;
  readonly rotation: Rotation;
  readonly event: RotationEvent;
  readonly signal: AbortSignal;
};

const { random } = Math;

const readVersion = async ({ client, event, signal }: Run, stage: Stage): Promise<Secret> =>
  fetchSecret({ client, clock, random, attempts: 2 }, event.SecretId, stage, signal);

/** Returns the new version, or undefined while it has no text. */
const readPending = async (run: Run): Promise<Secret | undefined> => {
  try {
    const pending = await readVersion(run, 'AWSPENDING');
    return pending.versionId === run.event.ClientRequestToken ? pending : undefined;
  } catch (error) {
    if (error instanceof SecretUnavailable && error.reason === notFound) return undefined;
    throw error;
  }
};

/** Returns the labels of all versions, by version. */
const labelsOf = async ({ client, event, signal }: Run): Promise<Readonly<Record<string, readonly string[]>>> => {
  const command = new DescribeSecretCommand({ SecretId: event.SecretId });
  const { VersionIdsToStages = {} } = await client.send(command, { abortSignal: signal });
  return VersionIdsToStages;
};

/**
 * Gives up a new version that would revert a change of AWSCURRENT. The text of a version cannot be replaced. Without the
 * label, Secrets Manager begins a rotation with another version, which is made from the changed one.
 */
const rejectOutdated = async (run: Run, pending: Secret, current: Secret): Promise<void> => {
  const { client, rotation, event, signal } = run;
  if (rotation.isOutdated?.(pending, current) !== true) return;
  const command = new UpdateSecretVersionStageCommand({
    SecretId: event.SecretId,
    VersionStage: 'AWSPENDING',
    RemoveFromVersionId: pending.versionId,
  });
  await client.send(command, { abortSignal: signal });
  throw new RotationFailed('secret_changed');
};

const createVersion = async (run: Run): Promise<void> => {
  const { client, rotation, event, signal } = run;
  const pending = await readPending(run);
  // A repeat finds the text of the first run.
  if (pending !== undefined) return rejectOutdated(run, pending, await readVersion(run, 'AWSCURRENT'));
  const text = await rotation.create(await readVersion(run, 'AWSCURRENT'));
  await putSecret(client, event.SecretId, text, signal, { token: event.ClientRequestToken, stages: ['AWSPENDING'] });
};

const testVersion = async (run: Run): Promise<void> => {
  const pending = await readPending(run);
  if (pending === undefined) throw new RotationFailed('no_pending_version');
  const current = await readVersion(run, 'AWSCURRENT');
  await rejectOutdated(run, pending, current);
  await run.rotation.test(pending, current);
};

/** Moves AWSCURRENT to the new version. Secrets Manager moves AWSPREVIOUS to the former one. */
const finish = async (run: Run, labels: Readonly<Record<string, readonly string[]>>): Promise<void> => {
  const { client, event, signal } = run;
  const current = Object.entries(labels).find(([, stages]) => stages.includes('AWSCURRENT'))?.[0];
  const command = new UpdateSecretVersionStageCommand({
    SecretId: event.SecretId,
    VersionStage: 'AWSCURRENT',
    MoveToVersionId: event.ClientRequestToken,
    ...(current !== undefined && { RemoveFromVersionId: current }),
  });
  await client.send(command, { abortSignal: signal });
};

const runStep = async (run: Run): Promise<void> => {
  const { ClientRequestToken, Step } = run.event;
  if (!steps.some((step) => step === Step)) throw new RotationFailed('unknown_step');
  const labels = await labelsOf(run);
  const own = labels[ClientRequestToken] ?? [];
  // The rotation has ended: this invocation is a repeat.
  if (own.includes('AWSCURRENT')) return;
  if (!own.includes('AWSPENDING')) throw new RotationFailed('version_not_pending');
  // It was current once. Secrets Manager repeats it because a version stored by hand has left AWSPENDING behind.
  if (own.includes('AWSPREVIOUS')) throw new RotationFailed('version_superseded');
  if (Step === 'createSecret') await createVersion(run);
  // The hook of an issuer, or nothing, sets the secret during its creation.
  if (Step === 'testSecret') await testVersion(run);
  if (Step === 'finishSecret') {
    await testVersion(run);
    await finish(run, labels);
  }
};

const reasonOf = (error: unknown): string =>
  error instanceof RotationFailed || error instanceof SecretUnavailable ? error.reason : failureReason(error);

/**
 * Runs one step of a rotation. The last step tests the version again, so an untested version is never promoted.
 *
 * @throws {RotationFailed} with one word; Secrets Manager then repeats the rotation
 */
export const runRotation = async (
  client: RotationClient,
  rotation: Rotation,
  event: RotationEvent,
  signal: AbortSignal,
): Promise<void> => {
  const fields = { step: event.Step, versionId: event.ClientRequestToken };
  try {
    await runStep({ client, rotation, event, signal });
    log('info', 'secret rotation step completed', fields);
  } catch (error) {
    const reason = signal.aborted ? errorName(signal.reason) : reasonOf(error);
    log('error', 'secret rotation step failed', { ...fields, reason });
    throw new RotationFailed(reason);
  }
};
