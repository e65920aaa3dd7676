import type { Circumstances } from '../../returns/history.ts';
import type { Call } from '../port.ts';

/** Who acts in a call, when and why, as the history keeps it. */
export const circumstances = ({ caller, causationId, traceId }: Call, policyVersion: string | null): Circumstances => ({
  at: new Date().toISOString(),
  actor: {
    clientId: caller.clientId,
    ...(caller.onBehalfOf === undefined ? {} : { onBehalfOf: caller.onBehalfOf }),
  },
  causationId,
  correlationId: traceId,
  policyVersion,
});
