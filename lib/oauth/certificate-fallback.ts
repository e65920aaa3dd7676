import type { Agent } from '../net/agent.ts';
import { elapsed, stamp, type Stamp } from '../net/clock.ts';
import { AccessError } from './access-error.ts';
import type { CertificateRejection } from './certificate-rejection.ts';
import type { Credentials } from './client-credentials.ts';
import { adopt, otherVersions, type CredentialsState, type Pin } from './credentials-in-use.ts';

/** How long not to look for another certificate again: after a sure refusal, and after one that may be none. */
const minInterval = { alert: 10_000, closed: 60_000, answered: 60_000 } as const;

/** Has other credentials in use; by the connections of those that were refused no token is used any more. */
const replaceCredentials = (
  context: CredentialsState,
  credentials: Credentials,
  pin: Pin | undefined,
  refused: Agent,
): void => {
  adopt(context, credentials, pin);
  context.former.delete(refused);
  if (pin === undefined) return;
  const { versionId } = credentials;
  context.onDecision({ type: 'previous client secret used', stage: pin.stage, versionId });
};

/** Back to the certificate that the API took last, in place of one that came after it. */
const restoreAccepted = (context: CredentialsState, refused: Agent): boolean => {
  const { current, taken, clock, pin } = context;
  if (current === undefined || taken === undefined || taken.identity === current.identity) return false;
  if (clock.now() > taken.identity.notAfter) return false;
  const insteadOf = pin?.insteadOf ?? current.versionId;
  replaceCredentials(
    context,
    taken,
    taken.versionId === insteadOf ? undefined : { stage: 'AWSPREVIOUS', insteadOf },
    refused,
  );
  return true;
};

const tryOtherVersions = async (context: CredentialsState, refused: Agent, signal: AbortSignal): Promise<boolean> => {
  for await (const { credentials, pin } of otherVersions(context, signal)) {
    // Another call has gone on meanwhile.
    if (context.current?.agent !== refused) return true;
    if (credentials.identity === context.current.identity) continue;
    replaceCredentials(context, credentials, pin, refused);
    return true;
  }
  return false;
};

/**
 * What the API makes of the client's certificate. A token endpoint need not look at it: a new pair is on trial until the
 * API has answered, and gives way to the one before it. The other way round, a pair that the API takes no more gives way
 * to that of another version.
 */
export const createCertificateFallback = (context: CredentialsState) => {
  let lookedAt: Stamp | undefined;
  let looking: Promise<boolean> | undefined;
  const look = async (refused: Agent, signal: AbortSignal): Promise<boolean> => {
    try {
      return await tryOtherVersions(context, refused, signal);
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      return false;
    } finally {
      looking = undefined;
    }
  };
  return {
    take: (agent: Agent): void => {
      if (context.current?.agent === agent) context.taken = context.current;
    },
    replaceCertificate: async (agent: Agent, refusal: CertificateRejection, signal: AbortSignal): Promise<boolean> => {
      const { current, taken, clock, onDecision } = context;
      if (current === undefined || current.agent !== agent) return current !== undefined;
      const wasTaken = taken?.identity === current.identity;
      // Something before the service may refuse a request for what it holds.
      if (wasTaken && refusal === 'answered') return false;
      onDecision({ type: 'client certificate rejected by the API', refusal, versionId: current.versionId });
      if (restoreAccepted(context, agent)) return true;
      if (looking !== undefined) return looking;
      if (lookedAt !== undefined && elapsed(clock, lookedAt) < minInterval[refusal]) return false;
      lookedAt = stamp(clock);
      looking = look(agent, signal);
      return looking;
    },
  };
};
