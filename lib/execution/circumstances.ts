import type { Call } from '../contract/port.ts';
import type { Happening } from '../events/policy-happenings.ts';
import { sealActor } from '../personal/seal-actor.ts';
import type { Circumstances } from '../returns/history/history.ts';
import type { Actor } from '../returns/model/actor.ts';
import type { Return } from '../returns/model/return.ts';

/** Who acts in a call. */
export const actorOf = ({ caller }: Call): Actor => ({
  clientId: caller.clientId,
  ...(caller.onBehalfOf === undefined ? {} : { onBehalfOf: caller.onBehalfOf }),
});

/** Which client acts in a call, and why: the request that asked for it, and what that belongs to. */
export const causeOf = (call: Call): Pick<Happening, 'actor' | 'causationId' | 'correlationId'> => ({
  actor: { clientId: call.caller.clientId },
  causationId: call.causationId,
  correlationId: call.traceId,
});

/** Who acts in a call on a return, when and why, as the history of the return stores it. */
export const circumstances = (
  call: Call,
  { actorKey }: Pick<Return, 'actorKey'>,
  policyVersion: string | null,
): Circumstances => ({
  at: new Date().toISOString(),
  ...causeOf(call),
  actor: sealActor(actorOf(call), actorKey),
  policyVersion,
});
