import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { tcpOriginOf, type Connector } from '../net/connector.ts';
import { SecretUnavailable, type Secret, type Stage } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import type { ServiceAccess } from '../../runtime/service-access.ts';
import { AccessError } from './access-error.ts';
import { buildCredentials, type Credentials } from './client-credentials.ts';
import type { OnAccessEvent } from './access-event.ts';

export type CredentialsOptions = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** Used unless the secret has its own. */
  readonly authUrl: string;
  /** @default that of the specification */
  readonly serviceAccess?: ServiceAccess | undefined;
  readonly clock: Clock;
  readonly onEvent: OnAccessEvent;
  /** Opens TCP while the first secret is read, for the URLs of the servers that are called next. */
  readonly early?: { readonly tcp: Connector; readonly urls: readonly string[] };
};

/**
 * Marks that a version other than AWSCURRENT is in use: its stage, and the VersionId of AWSCURRENT for which that
 * holds. `isDoubted`: AWSCURRENT was not rejected, only its connection broke.
 */
export type Pin = { readonly stage: Stage; readonly insteadOf: string; readonly isDoubted?: boolean };

/** The version of the secret in use. */
export type CredentialsState = CredentialsOptions & {
  /** The connections of former identities, with the expiry of their certificate in epoch milliseconds. */
  readonly former: Map<Agent, number>;
  /** The credentials that last succeeded, or were last read. */
  current?: Credentials;
  pin?: Pin | undefined;
  /** The last credentials whose certificate the API has accepted. */
  taken?: Credentials | undefined;
  /** The stage of `taken` when AWSCURRENT has replaced it. A pinned version retains its own. */
  takenStage?: Stage;
  /** The last time that a successor of an expired certificate was looked up. */
  expiryNoticedAt?: Stamp;
  /** Whether a server was not reached since the last read, so that its address or roots may have been corrected. */
  isUnreached?: boolean;
  /** The last read for that reason. */
  correctionReadAt?: Stamp;
};

/** The interval of reads for the successor of a certificate that expired in use. */
const minSuccessorInterval = 60_000;
/** With the pause of the token endpoint, a corrected secret is used within a minute. */
const minCorrectionInterval = 50_000;
const day = 24 * 60 * 60_000;

/** @throws {AccessError} SecretUnavailable */
export const readVersion = async (
  context: CredentialsState,
  stage: Stage,
  signal: AbortSignal,
  force: boolean,
): Promise<Secret> => {
  try {
    return await context.source.read(context.secretId, { stage, signal, force, onEvent: context.onEvent });
  } catch (error) {
    throw error instanceof SecretUnavailable ? new AccessError('SecretUnavailable', error.reason) : error;
  }
};

/**
 * Whether a version is built. A version with a rejected certificate is built again, because the certificate may be
 * valid by now.
 */
const isBuilt = (known: Credentials | undefined, versionId: string): known is Credentials =>
  known?.versionId === versionId && known.certificateFailure === undefined;

/**
 * Builds the credentials of a version. When its certificate is invalid, the certificate in use replaces it.
 *
 * @throws {AccessError} SecretUnavailable, CertificateInvalid
 */
const build = (context: CredentialsState, secret: Secret, stage: Stage): Credentials => {
  const { current: known, onEvent } = context;
  const { versionId } = secret;
  if (isBuilt(known, versionId)) return known;
  const credentials = buildCredentials(secret, known, { ...context, tcp: context.early?.tcp });
  const { certificateFailure: reason } = credentials;
  if (reason !== undefined) onEvent({ type: 'client certificate not adopted', stage, reason, versionId });
  return credentials;
};

/** Puts credentials into use. It reports a new certificate, and closes the connections of the previous one. */
export const adopt = (context: CredentialsState, credentials: Credentials, pin: Pin | undefined): Credentials => {
  const before = context.current?.identity;
  const { identity, versionId } = credentials;
  context.current = credentials;
  context.pin = pin;
  if (before === identity) return credentials;
  if (before !== undefined) {
    // They close after their running exchanges. A superseded token may begin others.
    before.agent.close().catch(() => undefined);
    context.former.set(before.agent, before.notAfter);
  }
  if ((before?.thumbprint ?? '') === identity.thumbprint) return credentials;
  const daysLeft = Math.floor((identity.notAfter - context.clock.now()) / day);
  context.onEvent({
    type: 'client certificate adopted',
    swapped: before !== undefined,
    versionId,
    ...(Number.isFinite(daysLeft) ? { daysLeft } : {}),
  });
  return credentials;
};

const hasExpired = ({ current, clock }: CredentialsState): boolean =>
  current !== undefined && clock.now() > current.identity.notAfter;

/** Adopts AWSCURRENT, unless it is invalid and another version is in use. */
const adoptCurrent = (context: CredentialsState, secret: Secret): Credentials => {
  const known = context.current;
  if (isBuilt(known, secret.versionId)) {
    // This version may have been in use before it became AWSCURRENT.
    context.pin = undefined;
    return known;
  }
  if (known !== undefined && context.pin?.insteadOf === secret.versionId && !hasExpired(context)) return known;
  try {
    return adopt(context, build(context, secret, 'AWSCURRENT'), undefined);
  } catch (error) {
    if (known === undefined || !(error instanceof AccessError)) throw error;
    const { versionId } = secret;
    context.onEvent({ type: 'new client secret not adopted', reason: error.reason, versionId });
    return known;
  }
};

/** Whether to look for the successor of an expired certificate before the secret is due to be read. */
export const isSuccessorDue = (context: CredentialsState): boolean =>
  hasExpired(context) &&
  (context.expiryNoticedAt === undefined || elapsed(context.clock, context.expiryNoticedAt) >= minSuccessorInterval);

/** Whether to look for a corrected secret before it is due to be read. */
export const isCorrectionDue = ({ clock, isUnreached, correctionReadAt }: CredentialsState): boolean =>
  isUnreached === true && (correctionReadAt === undefined || elapsed(clock, correctionReadAt) >= minCorrectionInterval);

const readForCorrection = async (context: CredentialsState, signal: AbortSignal): Promise<Secret> => {
  try {
    return await readVersion(context, 'AWSCURRENT', signal, true);
  } finally {
    // A read that was aborted says nothing about the secret.
    if (!signal.aborted) {
      context.isUnreached = false;
      context.correctionReadAt = stamp(context.clock);
    }
  }
};

/** Adopts AWSPREVIOUS in a cold container, then the valid parts of AWSCURRENT. */
const adoptPrevious = async (
  context: CredentialsState,
  current: Secret,
  failure: AccessError,
  signal: AbortSignal,
): Promise<Credentials> => {
  try {
    const previous = await readVersion(context, 'AWSPREVIOUS', signal, false);
    const { versionId } = adopt(context, build(context, previous, 'AWSPREVIOUS'), undefined);
    context.onEvent({ type: 'another client secret used', stage: 'AWSPREVIOUS', versionId });
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    throw failure;
  }
  return adoptCurrent(context, current);
};

/**
 * Returns the credentials to use for AWSCURRENT. It reads the secret when it is due, and adopts valid credentials.
 *
 * @throws {AccessError} SecretUnavailable, CertificateInvalid when no valid version was read before
 */
export const readCurrent = async (context: CredentialsState, signal: AbortSignal): Promise<Credentials> => {
  const { current, onEvent, early } = context;
  // The certificate is in the secret, so only TCP can begin before the read.
  if (current === undefined && early !== undefined)
    for (const url of early.urls) if (url.startsWith('https:')) early.tcp.prepare(tcpOriginOf(url));
  const expired = hasExpired(context);
  if (current !== undefined && expired) {
    context.expiryNoticedAt = stamp(context.clock);
    onEvent({ type: 'client certificate expired', versionId: current.versionId });
  }
  const secret = isCorrectionDue(context)
    ? await readForCorrection(context, signal)
    : await readVersion(context, 'AWSCURRENT', signal, expired);
  try {
    return adoptCurrent(context, secret);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    // No valid version was ever read: an operator may be fixing the secret at this moment.
    const again = await readVersion(context, 'AWSCURRENT', signal, true);
    try {
      return adoptCurrent(context, again);
    } catch (failure) {
      if (!(failure instanceof AccessError)) throw failure;
      return adoptPrevious(context, again, failure, signal);
    }
  }
};

/** Returns the credentials of AWSCURRENT while another version is in use; undefined when they are not valid. */
export const doubtedCurrent = async (
  context: CredentialsState,
  signal: AbortSignal,
): Promise<Credentials | undefined> => {
  try {
    return build(context, await readVersion(context, 'AWSCURRENT', signal, false), 'AWSCURRENT');
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    return undefined;
  }
};

const versionOf = async (context: CredentialsState, stage: Stage, signal: AbortSignal): Promise<Secret | undefined> => {
  try {
    return await readVersion(context, stage, signal, true);
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    return undefined;
  }
};

/** Iterates over other versions that may work, the likeliest first. It reads them one by one. */
export async function* otherVersions(
  context: CredentialsState,
  signal: AbortSignal,
): AsyncGenerator<{ readonly credentials: Credentials; readonly pin: Pin | undefined }> {
  const current = await versionOf(context, 'AWSCURRENT', signal);
  for (const stage of ['AWSCURRENT', 'AWSPREVIOUS', 'AWSPENDING'] as const) {
    const secret = stage === 'AWSCURRENT' ? current : await versionOf(context, stage, signal);
    if (secret === undefined) continue;
    try {
      const pin = stage === 'AWSCURRENT' || current === undefined ? undefined : { stage, insteadOf: current.versionId };
      yield { credentials: build(context, secret, stage), pin };
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      context.onEvent({ type: 'client secret skipped', reason: error.reason, versionId: secret.versionId });
    }
  }
}
