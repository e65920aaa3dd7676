import { holds } from '../contract/if-match.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type * as operations from '../contract/operations.ts';
import type { Input, OperationName, Output } from '../contract/contract.ts';
import type { Outcome } from '../returns/commands/conclude.ts';
import type { FloorOverride, Observation } from '../returns/model/fact.ts';
import type { Decision } from '../returns/failure.ts';
import { append } from '../returns/history/history.ts';
import { keyed } from '../returns/history/mac.ts';
import type { Return } from '../returns/model/return.ts';
import { allowedActions } from '../returns/rules/allowed-actions.ts';
import type { AllowedAction } from '../returns/rules/action.ts';
import type { Situation } from '../returns/situation.ts';
import { readKnownOrder, writeLedger } from '../store/orders/orders.ts';
import { writeTexts, type SaltedText } from '../store/personal/personal.ts';
import { readReturn, writeReturn } from '../store/returns/returns.ts';
import type { Session } from '../store/engine/session.ts';
import type { Write } from '../store/engine/transact.ts';
import type { Call, Reply } from '../contract/port.ts';
import { executeShowing, showing, type Answer } from './answer.ts';
import { circumstances } from './circumstances.ts';
import { orderRemoved, overrideNeedsAdmin, returnNotFound, versionMismatch } from './failures.ts';
import { factOf } from './fact.ts';
import { currentKey } from './history-keys.ts';

/** The operations on one return that exists. */
type Name = {
  [Name in OperationName]: (typeof operations)[Name]['path'] extends `/returns/{returnId}/${string}` ? Name : never;
}[OperationName];

/** Those that answer with it. */
type Answering = { [One in Name]: Output<One> extends Output<'getReturn'> ? One : never }[Name];

/**
 * What a command comes to, what is written with a new decision of a policy, which its entries go by, and what else goes
 * with it: personal texts that it has sealed only now, and other rows.
 */
type Decided = Outcome & {
  readonly texts?: readonly SaltedText[];
  readonly writes?: readonly Write[];
  readonly ruled?: { readonly policyVersion: string; readonly writes: readonly Write[] } | undefined;
};

/** What changes nothing has no outcome, and leaves no entry. */
type Decide = (situation: Situation, session: Session) => Awaitable<Decision<Decided | undefined>>;

type Awaitable<Value> = Value | Promise<Value>;

/** Whether the return knows the request from before: undefined for a new one, a refusal for its key with another one. */
type Repeated = (state: Return) => Result<null> | undefined;

/** What some commands have beside their decision. */
type Beside = {
  /** Personal texts that the command brings, already sealed in what it decides. */
  readonly texts?: readonly SaltedText[];
  /** What to answer where the return itself knows the request, before its version and status are looked at. */
  readonly repeated?: Repeated;
};

/**
 * Runs a command on an existing return: reads it with its order and ledger, decides, and writes all that follows in one
 * transaction. That fails when the return has changed meanwhile and, where the ledger moves, when the ledger or the order
 * has. A command that leaves the ledger as it is writes nothing that others decide on: it counts as done before theirs.
 * Where nothing is to happen nothing is written.
 *
 * @param answer what to answer with for the return as it then is, and what may be done with it
 */
export const commandAnswering = async <Body>(
  operation: Name,
  input: Input<Name>,
  call: Call,
  decide: Decide,
  answer: (state: Return, actions: readonly AllowedAction[]) => Answer<Body>,
  { texts = [], repeated }: Beside = {},
): Promise<Result<Reply<Body>>> =>
  executeShowing(operation, input, call, async (session) => {
    const [state, key] = await Promise.all([readReturn(session, input.returnId), currentKey(session)]);
    if (state === undefined) return fail(returnNotFound);
    const known = repeated?.(state);
    const made = circumstances(call, state, state.terms.policyVersion);
    if (known?.ok === false) return known;
    if (known === undefined && !holds(call.ifMatch, state.version)) return fail(versionMismatch(state.version));
    const { order, ledger: before, ledgerVersion } = await readKnownOrder(session, state.order);
    if (known !== undefined) {
      const { reply } = answer(state, allowedActions({ state, order, ledger: before, now: made.at }));
      return ok({ reply: { ...reply, replayed: true }, writes: [] });
    }
    if (order === undefined) return fail(orderRemoved);
    const admin = call.caller.scopes.includes('returns:admin');
    const { observed: told, floorOverride } = input as {
      readonly observed?: Observation;
      readonly floorOverride?: FloorOverride;
    };
    if (floorOverride !== undefined && !admin) return fail(overrideNeedsAdmin);
    const fact = factOf(told, state, made.at);
    if (!fact.ok) return fact;
    const situation = {
      state,
      order,
      ledger: before,
      now: made.at,
      admin,
      ...(floorOverride === undefined ? {} : { floorOverride }),
      ...fact.value,
    };
    const decision = await decide(situation, session);
    if (!decision.ok) return fail(decision.failure);
    if (decision.value === undefined) return ok({ ...answer(state, allowedActions(situation)), writes: [] });
    const {
      events,
      ledger,
      writes = [],
      texts: own = [],
      ruled = { policyVersion: made.policyVersion, writes: [] },
    } = decision.value;
    const next = append(state, events, { ...made, policyVersion: ruled.policyVersion });
    return ok({
      ...answer(next.state, allowedActions({ state: next.state, order, ledger, now: made.at })),
      writes: [
        ...writeReturn(next.state, keyed(next.entries, key), state),
        ...(ledger === before ? [] : [writeLedger(order, ledger, ledgerVersion)]),
        ...writeTexts(next.state, [...texts, ...own]),
        ...writes,
        ...ruled.writes,
      ],
    });
  });

/** Runs a command that answers with the return as it is then. */
export const command = async (
  operation: Answering,
  input: Input<Answering>,
  call: Call,
  decide: Decide,
  beside?: Beside,
): Promise<Result<Reply<Output<Answering>>>> => commandAnswering(operation, input, call, decide, showing, beside);
