import type { Call } from '../../contract/port.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { encryptActor } from '../../store/personal/encrypt-actor.ts';
import type { EventMetadata } from '../../domain/returns/history/history.ts';
import { type Actor, type EncryptedActor, publicActor } from '../../domain/returns/model/actor.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import { nameDigestOf } from '../../store/personal/user-names.ts';

/** Returns the actor of a call, without the name of a user. */
export const actorOf = ({ caller }: Call): Actor => ({
  ...publicActor(caller),
  ...(caller.onBehalfOf === undefined ? {} : { onBehalfOf: caller.onBehalfOf }),
  ...(caller.via === undefined ? {} : { via: caller.via }),
});

/** Returns the actor of a call as a history stores it: nothing in it names a person without rows that can be erased. */
export const historyActor = (call: Call, actorKey: string | undefined): EncryptedActor => {
  const { user, ...actor } = actorOf(call);
  const nameDigest = call.caller.user && nameDigestOf(call.caller.user);
  const named = user && { ...user, ...(nameDigest !== undefined && { nameDigest }) };
  return encryptActor({ ...actor, ...(named !== undefined && { user: named }) }, actorKey);
};

/** Returns the actor and the cause of a call: the request, and what it belongs to. */
export const causeOfCall = (call: Call): Pick<DomainEvent, 'actor' | 'causationId' | 'correlationId'> => ({
  actor: publicActor(call.caller),
  causationId: call.causationId,
  correlationId: call.traceId,
});

/** Returns the actor, time and cause of a call, as the history of a return stores them. */
export const eventMetadata = (
  call: Call,
  { actorKey }: Pick<Return, 'actorKey'>,
  policyVersion: string | null,
): EventMetadata => ({
  at: new Date().toISOString(),
  ...causeOfCall(call),
  actor: historyActor(call, actorKey),
  policyVersion,
});
