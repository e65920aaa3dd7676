import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { AccessError } from './access-error.ts';
import type { CertificateRejection } from './certificate-rejection.ts';
import type { Credentials } from './client-credentials.ts';
import { adopt, otherVersions, type CredentialsState, type Pin } from './credentials-in-use.ts';

/**
 * The minimum interval of lookups for another certificate: short after a certain rejection, longer after a possible
 * one.
 */
const minInterval = { alert: 10_000, closed: 60_000, answered: 60_000 } as const;

/** Puts other credentials into use. Tokens are no longer used over the rejected connections. */
const replaceCredentials = (
  context: CredentialsState,
  credentials: Credentials,
  pin: Pin | undefined,
  rejected: Agent,
): void => {
  adopt(context, credentials, pin);
  context.former.delete(rejected);
  if (pin === undefined) return;
  const { versionId } = credentials;
  context.onEvent({ type: 'another client secret used', stage: pin.stage, versionId });
};

/** Restores the certificate that the API last accepted, in place of a newer one. */
const restoreAccepted = (context: CredentialsState, rejected: Agent): boolean => {
  const { current, taken, takenStage = 'AWSPREVIOUS', clock, pin } = context;
  if (current === undefined || taken === undefined || taken.identity === current.identity) return false;
  if (clock.now() > taken.identity.notAfter) return false;
  const insteadOf = pin?.insteadOf ?? current.versionId;
  replaceCredentials(
    context,
    taken,
    taken.versionId === insteadOf ? undefined : { stage: takenStage, insteadOf },
    rejected,
  );
  return true;
};

const tryOtherVersions = async (context: CredentialsState, rejected: Agent, signal: AbortSignal): Promise<boolean> => {
  for await (const { credentials, pin } of otherVersions(context, signal)) {
    // Another call has replaced the credentials meanwhile.
    if (context.current?.agent !== rejected) return true;
    if (credentials.identity === context.current.identity) continue;
    replaceCredentials(context, credentials, pin, rejected);
    return true;
  }
  return false;
};

/**
 * Replaces client certificates that the API rejects. The token endpoint need not check the certificate. So a new pair
 * is provisional until the API has responded: after a rejection the previous pair replaces it. A pair that the API
 * accepted before and now rejects is replaced by that of another version.
 */
export const createCertificateFallback = (context: CredentialsState) => {
  let searchedAt: Stamp | undefined;
  let search: Promise<boolean> | undefined;
  const searchOther = async (rejected: Agent, signal: AbortSignal): Promise<boolean> => {
    try {
      return await tryOtherVersions(context, rejected, signal);
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      return false;
    } finally {
      search = undefined;
    }
  };
  return {
    take: (agent: Agent): void => {
      if (context.current?.agent !== agent) return;
      context.taken = context.current;
      // A new version makes AWSCURRENT the previous one.
      context.takenStage = context.pin?.stage ?? 'AWSPREVIOUS';
    },
    replaceCertificate: async (
      agent: Agent,
      rejection: CertificateRejection,
      signal: AbortSignal,
    ): Promise<boolean> => {
      const { current, taken, clock, onEvent } = context;
      if (current === undefined || current.agent !== agent) return current !== undefined;
      const wasTaken = taken?.identity === current.identity;
      // A proxy in front of the service may reject a request for its content.
      if (wasTaken && rejection === 'answered') return false;
      onEvent({ type: 'client certificate rejected by the API', refusal: rejection, versionId: current.versionId });
      if (restoreAccepted(context, agent)) return true;
      if (search !== undefined) return search;
      if (searchedAt !== undefined && elapsed(clock, searchedAt) < minInterval[rejection]) return false;
      searchedAt = stamp(clock);
      search = searchOther(agent, signal);
      return search;
    },
  };
};
