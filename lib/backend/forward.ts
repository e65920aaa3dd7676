import { callService, settleRefresh } from '../client/container.ts';
import { withoutReason } from '../client/failures.ts';
import { parseAnswerBody, type ServiceAnswer } from '../client/incoming.ts';
import { percentEncoded } from '../client/outgoing.ts';
import type { Input, OperationName, Output } from '../contract/contract.ts';
import type { Operation, Scope } from '../contract/operation.ts';
import type { Call, Caller, Reply } from '../contract/port.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { sha256 } from '../runtime/hash.ts';
import { JsonText } from '../runtime/json.ts';

/**
 * The caller as the Returns Service hears of it: to it all our callers are one client, so the client's own id travels
 * in Returns-On-Behalf-Of, before whom it acts for in turn.
 */
const onBehalfOf = ({ clientId, onBehalfOf: whom }: Caller): string =>
  whom === undefined ? percentEncoded(clientId) : `${percentEncoded(clientId)}/${whom.replaceAll('/', '%2F')}`;

/**
 * Keys of two callers must not meet where both are one client: the caller becomes part of the key. The operation does
 * not, so that the service sees a key that is used for another operation.
 */
const upstreamKey = (clientId: string, key: string): string => sha256(JSON.stringify([clientId, key]), 'base64url');

/**
 * The scope that the operation names; admin besides, where the caller holds it: some commands want it for what they are
 * told to override. What only an admin may do goes with that same token, so that there are three of them and not four:
 * each is a request of every container to the token endpoint, or a secret of its own where tokens are shared. An operation
 * that is open to everyone goes with the token that most others need: whether one can be had is a part of what `health`
 * tells.
 */
const scopesOf = ({ scope }: Operation, caller: Caller): readonly Scope[] =>
  scope === 'returns:admin' || (scope === 'returns:write' && caller.scopes.includes('returns:admin'))
    ? ['returns:write', 'returns:admin']
    : [scope ?? 'returns:read'];

/** For those who read no body, it can be anything that is written as the same JSON. */
const passthroughReply = <Body>({ text, ...answer }: ServiceAnswer): Reply<Body> => ({
  ...answer,
  body: new JsonText(text) as unknown as Body,
});

/** Sends an operation on to the Returns Service and brings its answer back as it came. */
export const forward = async <Name extends OperationName>(
  operation: Operation & { readonly name: Name },
  input: Input<Name>,
  call: Call,
): Promise<Result<Reply<Output<Name>>>> => {
  const { caller, idempotencyKey, ifMatch, acceptLanguage, dryRun, traceId, deadline, passthrough: handsOn } = call;
  try {
    const answer = await callService(operation, input, {
      ...(idempotencyKey === undefined ? {} : { idempotencyKey: upstreamKey(caller.clientId, idempotencyKey) }),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
      dryRun,
      onBehalfOf: onBehalfOf(caller),
      traceId,
      deadline,
      scopes: scopesOf(operation, caller),
    });
    if (answer.ok && handsOn === true) return ok(passthroughReply(answer.value));
    const reply = answer.ok ? parseAnswerBody<Output<Name>>(answer.value) : answer;
    return reply.ok ? reply : fail(withoutReason(reply.failure));
  } finally {
    const settling = settleRefresh(deadline);
    if (settling !== undefined) await settling;
  }
};
