import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Clock, type Stamp } from '../net/clock.ts';
import { tcpOriginOf, type Connector } from '../net/connector.ts';
import { SecretUnavailable, type Secret, type Stage } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { AccessError } from './access-error.ts';
import { buildCredentials, type Credentials } from './client-credentials.ts';
import type { OnAccessEvent } from './access-event.ts';

export type CredentialsOptions = {
  readonly source: SecretSource;
  readonly secretId: string;
  /** Used unless the secret names its own. */
  readonly authUrl: string;
  readonly clock: Clock;
  readonly onDecision: OnAccessEvent;
  /** What begins TCP while the first secret is read, and the URLs of the servers that are asked right after it. */
  readonly early?: { readonly tcp: Connector; readonly urls: readonly string[] };
};

/** That a version which is not AWSCURRENT is in use, its stage, and the VersionId of AWSCURRENT for which that holds. */
export type Pin = { readonly stage: Stage; readonly insteadOf: string };

/** Which version of the secret is in use. */
export type CredentialsState = CredentialsOptions & {
  /** The connections of identities that were in use before, and until when their certificate is valid: epoch milliseconds. */
  readonly former: Map<Agent, number>;
  /** The credentials that worked last, or were read last. */
  current?: Credentials;
  pin?: Pin | undefined;
  /** The last credentials whose certificate the API has taken. */
  taken?: Credentials | undefined;
  /** When a successor of an expired certificate was looked for. */
  expiryNoticedAt?: Stamp;
};

/** How often the secret is read for a certificate that takes the place of one that expired in use. */
const minSuccessorInterval = 60_000;
const day = 24 * 60 * 60_000;

/** @throws {AccessError} SecretUnavailable */
export const readVersion = async (
  context: CredentialsState,
  stage: Stage,
  signal: AbortSignal,
  force: boolean,
): Promise<Secret> => {
  try {
    return await context.source.read(context.secretId, { stage, signal, force, onDecision: context.onDecision });
  } catch (error) {
    throw error instanceof SecretUnavailable ? new AccessError('SecretUnavailable', error.reason) : error;
  }
};

/** A certificate that was kept back is looked at again: it may have become valid meanwhile. */
const isBuilt = (known: Credentials | undefined, versionId: string): known is Credentials =>
  known?.versionId === versionId && known.certificateFault === undefined;

/**
 * Credentials of a version, whose certificate may be one that cannot be used: then with the one that is in use.
 *
 * @throws {AccessError} SecretUnavailable, CertificateInvalid
 */
const build = (context: CredentialsState, secret: Secret, stage: Stage): Credentials => {
  const { current: known, onDecision } = context;
  const { versionId } = secret;
  if (isBuilt(known, versionId)) return known;
  const credentials = buildCredentials(secret, known, { ...context, tcp: context.early?.tcp });
  const { certificateFault: reason } = credentials;
  if (reason !== undefined) onDecision({ type: 'client certificate not adopted', stage, reason, versionId });
  return credentials;
};

/** Takes credentials into use. A certificate that is another one is told, and the connections of the one before end. */
export const adopt = (context: CredentialsState, credentials: Credentials, pin: Pin | undefined): Credentials => {
  const before = context.current?.identity;
  const { identity, versionId } = credentials;
  context.current = credentials;
  context.pin = pin;
  if (before === identity) return credentials;
  if (before !== undefined) {
    // They end with the exchanges under way. A superseded token begins others.
    before.agent.close().catch(() => undefined);
    context.former.set(before.agent, before.notAfter);
  }
  if ((before?.thumbprint ?? '') === identity.thumbprint) return credentials;
  const daysLeft = Math.floor((identity.notAfter - context.clock.now()) / day);
  context.onDecision({
    type: 'client certificate adopted',
    swapped: before !== undefined,
    versionId,
    ...(Number.isFinite(daysLeft) ? { daysLeft } : {}),
  });
  return credentials;
};

const hasExpired = ({ current, clock }: CredentialsState): boolean =>
  current !== undefined && clock.now() > current.identity.notAfter;

/** A version that cannot be used does not displace one that can. */
const adoptCurrent = (context: CredentialsState, secret: Secret): Credentials => {
  const known = context.current;
  if (isBuilt(known, secret.versionId)) {
    // It may have come into use before it was the current one.
    context.pin = undefined;
    return known;
  }
  if (known !== undefined && context.pin?.insteadOf === secret.versionId && !hasExpired(context)) return known;
  try {
    return adopt(context, build(context, secret, 'AWSCURRENT'), undefined);
  } catch (error) {
    if (known === undefined || !(error instanceof AccessError)) throw error;
    const { versionId } = secret;
    context.onDecision({ type: 'new client secret not adopted', reason: error.reason, versionId });
    return known;
  }
};

/** What expired in use may have a successor that is not due to be read for a while. */
export const isSuccessorDue = (context: CredentialsState): boolean =>
  hasExpired(context) &&
  (context.expiryNoticedAt === undefined || elapsed(context.clock, context.expiryNoticedAt) >= minSuccessorInterval);

/** A cold container has nothing from before: AWSPREVIOUS stands in for what of AWSCURRENT cannot be used. */
const adoptPrevious = async (
  context: CredentialsState,
  current: Secret,
  fault: AccessError,
  signal: AbortSignal,
): Promise<Credentials> => {
  try {
    const previous = await readVersion(context, 'AWSPREVIOUS', signal, false);
    const { versionId } = adopt(context, build(context, previous, 'AWSPREVIOUS'), undefined);
    context.onDecision({ type: 'previous client secret used', stage: 'AWSPREVIOUS', versionId });
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    throw fault;
  }
  return adoptCurrent(context, current);
};

/**
 * The credentials to use by what AWSCURRENT is now: read when that is due, and taken into use unless they cannot be.
 *
 * @throws {AccessError} SecretUnavailable, CertificateInvalid when nothing usable was read before
 */
export const readCurrent = async (context: CredentialsState, signal: AbortSignal): Promise<Credentials> => {
  const { current, onDecision, early } = context;
  // With the certificate in the secret this is all that can begin before.
  if (current === undefined && early !== undefined)
    for (const url of early.urls) if (url.startsWith('https:')) early.tcp.prepare(tcpOriginOf(url));
  const expired = hasExpired(context);
  if (current !== undefined && expired) {
    context.expiryNoticedAt = stamp(context.clock);
    onDecision({ type: 'client certificate expired', versionId: current.versionId });
  }
  const secret = await readVersion(context, 'AWSCURRENT', signal, expired);
  try {
    return adoptCurrent(context, secret);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    // Nothing usable was ever read: somebody may be mending the secret just now.
    const again = await readVersion(context, 'AWSCURRENT', signal, true);
    try {
      return adoptCurrent(context, again);
    } catch (fault) {
      if (!(fault instanceof AccessError)) throw fault;
      return adoptPrevious(context, again, fault, signal);
    }
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

/** The versions that may fare better than the one in use, the likeliest first; each is read when it is asked for. */
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
      context.onDecision({ type: 'client secret skipped', reason: error.reason, versionId: secret.versionId });
    }
  }
}
