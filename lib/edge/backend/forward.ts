import { createAnswerCheck } from '../../access/client/check-answer.ts';
import { callService, drainRefresh } from '../../access/client/container.ts';
import { withoutReason } from '../../access/client/failures.ts';
import type { ClientFailure } from '../../access/client/public.ts';
import { parseAnswerBody, type ServiceAnswer } from '../../access/client/incoming.ts';
import type { AnswerShape } from '../../contract/answer-shape.ts';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { userPart } from '../../contract/if-match.ts';
import type { Operation, Scope } from '../../contract/operation.ts';
import { type Call, type Caller, callerParts, type Reply } from '../../contract/port.ts';
import { percentEncoded } from '../../contract/request-path.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { perContainer } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { JsonText } from '../../runtime/json.ts';
import { log } from '../../runtime/log.ts';

/** Returns the person of a caller: the user whom the token proves, or the person whom the client names. */
const personOf = ({ onBehalfOf: whom, user }: Caller): string | undefined =>
  user === undefined ? whom?.replaceAll('/', '%2F') : userPart(user.id);

/**
 * Returns the value of Returns-On-Behalf-Of. All callers of this deployment are one client to the Returns Service. So
 * the header names the caller, then the person.
 */
const onBehalfOf = (caller: Caller): string => {
  const person = personOf(caller);
  const client = percentEncoded(caller.clientId);
  return person === undefined ? client : `${client}/${person}`;
};

/**
 * Makes an upstream key of the caller and its key, so that keys of two callers do not collide. The operation is not
 * part of it, so that the service detects a key that is reused for another operation.
 */
const upstreamKey = (caller: Caller, key: string): string =>
  sha256(JSON.stringify([...callerParts(caller), key]), 'base64url');

/**
 * Returns the scopes of the token: the scope of the operation, and admin when the caller holds it. Some commands
 * require admin to override a check. Admin commands use that same token, so there are three tokens and not four. Each
 * token is a request of every container to the token endpoint, or a shared secret of its own. An operation without a
 * scope uses the most common token: `health` also reports whether one can be obtained. For a user, the token has no
 * scope that the token of the user lacks.
 */
const scopesOf = ({ scope }: Operation, { scopes, user }: Caller): readonly Scope[] => {
  const isAdmin = scope === 'returns:admin' || (scope === 'returns:write' && scopes.includes('returns:admin'));
  if (!isAdmin) return [scope ?? 'returns:read'];
  return user === undefined || scopes.includes('returns:write') ? ['returns:write', 'returns:admin'] : [scope];
};

/** A caller that does not parse the body accepts any type with the same JSON. */
const passthroughReply = <Body>({ text, ...answer }: ServiceAnswer): Reply<Body> => ({
  ...answer,
  body: new JsonText(text) as unknown as Body,
});

/** Returns the failure for the caller. Operators find the reason of a rejected answer in the log. */
const reported = (failure: ClientFailure, { name }: Operation, traceId: string): Failure => {
  const { code, reason } = failure;
  if (code === 'dependency_refused' && reason !== undefined)
    log('error', 'service answer rejected', { operation: name, traceId, reason });
  return withoutReason(failure);
};

const answerCheck = perContainer(createAnswerCheck);

/**
 * Forwards an operation to the Returns Service and returns its response unchanged. The container checks the shape of the
 * answers of an operation until one fits, so that nothing of another service leaves.
 */
export const forward = async <Name extends OperationName>(
  operation: Operation & { readonly name: Name },
  shape: AnswerShape,
  input: Input<Name>,
  call: Call,
): Promise<Result<Reply<Output<Name>>>> => {
  const { caller, idempotencyKey, ifMatch, acceptLanguage, dryRun, traceId, deadline, passthrough: handsOn } = call;
  try {
    const answer = await callService(operation, input, {
      ...(idempotencyKey === undefined ? {} : { idempotencyKey: upstreamKey(caller, idempotencyKey) }),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
      dryRun,
      onBehalfOf: onBehalfOf(caller),
      ...(caller.via === undefined ? {} : { via: caller.via }),
      traceId,
      deadline,
      scopes: scopesOf(operation, caller),
    });
    const checked = answer.ok ? answerCheck()(operation.name, shape, answer.value) : answer;
    if (checked.ok && handsOn === true) return ok(passthroughReply(checked.value));
    const reply = checked.ok ? parseAnswerBody<Output<Name>>(checked.value) : checked;
    return reply.ok ? reply : fail(reported(reply.failure, operation, traceId));
  } finally {
    const draining = drainRefresh(deadline);
    if (draining !== undefined) await draining;
  }
};
