import type { Call } from '../contract/port.ts';
import type { DomainEvent } from '../events/domain-events.ts';
import { encryptActor } from '../personal/encrypt-actor.ts';
import type { EventMetadata } from '../returns/history/history.ts';
import type { Actor } from '../returns/model/actor.ts';
import type { Return } from '../returns/model/return.ts';

/** Who acts in a call. */
export const actorOf = ({ caller }: Call): Actor => ({
  clientId: caller.clientId,
  ...(caller.onBehalfOf === undefined ? {} : { onBehalfOf: caller.onBehalfOf }),
});

/** Which client acts in a call, and why: the request that asked for it, and what that belongs to. */
export const causeOfCall = (call: Call): Pick<DomainEvent, 'actor' | 'causationId' | 'correlationId'> => ({
  actor: { clientId: call.caller.clientId },
  causationId: call.causationId,
  correlationId: call.traceId,
});

/** Who acts in a call on a return, when and why, as the history of the return stores it. */
export const eventMetadata = (
  call: Call,
  { actorKey }: Pick<Return, 'actorKey'>,
  policyVersion: string | null,
): EventMetadata => ({
  at: new Date().toISOString(),
  ...causeOfCall(call),
  actor: encryptActor(actorOf(call), actorKey),
  policyVersion,
});
