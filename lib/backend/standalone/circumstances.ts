import type { Circumstances } from '../../returns/history/history.ts';
import type { Call } from '../port.ts';

/** Who acts in a call. */
export const actorOf = ({ caller }: Call): Circumstances['actor'] => ({
  clientId: caller.clientId,
  ...(caller.onBehalfOf === undefined ? {} : { onBehalfOf: caller.onBehalfOf }),
});

/** Who acts in a call, and why: the request that asked for it, and what that belongs to. */
export const causeOf = (call: Call): Pick<Circumstances, 'actor' | 'causationId' | 'correlationId'> => ({
  actor: actorOf(call),
  causationId: call.causationId,
  correlationId: call.traceId,
});

/** Who acts in a call, when and why, as the history keeps it. */
export const circumstances = (call: Call, policyVersion: string | null): Circumstances => ({
  at: new Date().toISOString(),
  ...causeOf(call),
  policyVersion,
});
