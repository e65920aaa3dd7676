import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { ifMatchHolds } from '../../contract/if-match.ts';
import type * as operations from '../../contract/operations.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { Outcome } from '../../domain/returns/commands/outcome.ts';
import type { Result as DomainResult } from '../../domain/returns/failure.ts';
import { appendEntries } from '../../domain/returns/history/history.ts';
import type { FloorOverride, Observation } from '../../domain/returns/model/order.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import { withCurrentWorth } from '../../domain/returns/money/revalue.ts';
import { allowedActions } from '../../domain/returns/rules/allowed-actions.ts';
import type { AllowedAction } from '../../domain/returns/rules/states.ts';
import type { Situation } from '../../domain/returns/situation.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Write } from '../../store/engine/transact.ts';
import { readKnownOrder, writeLedger } from '../../store/orders/orders.ts';
import { type SaltedText, writeTexts } from '../../store/personal/personal.ts';
import { readReturn } from '../../store/returns/returns.ts';
import { type CommandResponse, restoreReply, returnResponse } from './return-response.ts';
import { eventMetadata } from './event-metadata.ts';
import { execute, type Plan } from './execute.ts';
import { observationOf } from './observation.ts';
import { orderRemoved, overrideNeedsAdmin, returnNotFound, versionMismatch } from './failures.ts';
import { currentKey } from './key-ring.ts';
import { writeChangedReturn } from './write-changed-return.ts';

/*
 * Commands on an existing return: load, check, decide, append, view. One transaction writes the result. It fails if the
 * return has changed since it was read. If the ledger moves, it also fails when the ledger or the order has changed.
 * Then all steps run again.
 */

/** The operations on one existing return. */
type CommandName = {
  [Name in OperationName]: (typeof operations)[Name]['path'] extends `/returns/{returnId}/${string}` ? Name : never;
}[OperationName];

/** The commands that respond with the return. */
type ReturnReplyName = {
  [Name in CommandName]: Output<Name> extends Output<'getReturn'> ? Name : never;
}[CommandName];

/** The result of a command's decision, and what its transaction also writes. */
type CommandOutcome = Outcome & {
  /** Personal texts that the decision made references to. */
  readonly texts?: readonly SaltedText[];
  readonly writes?: readonly Write[];
  /** A new policy decision. The entries of this command name its version. */
  readonly policyDecision?: { readonly policyVersion: string; readonly writes: readonly Write[] } | undefined;
};

type Awaitable<Value> = Value | Promise<Value>;

/** A command with its ids and text references. They stay the same when the steps run again. */
export type PreparedCommand = {
  /** Decides on the return. It returns undefined when the command changes nothing and adds no entry. */
  readonly decide: (situation: Situation, session: Session) => Awaitable<DomainResult<CommandOutcome | undefined>>;
  /** Personal texts of the caller; the decision holds their references. */
  readonly texts?: readonly SaltedText[];
  /**
   * Returns whether the return recorded this request earlier. It is undefined for a new request, and a failure when
   * another request used the key.
   */
  readonly repeated?: (state: Return) => Result<null> | undefined;
};

/** Makes the response of a command from the resulting return and the next allowed actions. */
type ResponseOf<Body> = (state: Return, actions: readonly AllowedAction[]) => CommandResponse<Body>;

/** The common input of all commands. */
type CommonInput = { readonly observed?: Observation; readonly floorOverride?: FloorOverride };

/** Reads the inputs of a command. An order may be absent: its facts are removed after their retention time. */
const load = async (session: Session, returnId: string) => {
  const [state, key] = await Promise.all([readReturn(session, returnId), currentKey(session)]);
  if (state === undefined) return undefined;
  const known = await readKnownOrder(session, state.order);
  return { state, current: withCurrentWorth(state, known.order, known.ledger), key, ...known };
};

type Loaded = NonNullable<Awaited<ReturnType<typeof load>>>;

/** Checks the common rules of all commands, and returns the situation to decide on. */
const check = (
  { current, order, ledger }: Loaded,
  { observed, floorOverride }: CommonInput,
  { caller }: Call,
  now: string,
): Result<Situation> => {
  if (order === undefined) return fail(orderRemoved);
  const admin = caller.scopes.includes('returns:admin');
  if (floorOverride !== undefined && !admin) return fail(overrideNeedsAdmin);
  const observation = observationOf(observed, current.state, now);
  if (!observation.ok) return observation;
  const override = floorOverride === undefined ? {} : { floorOverride };
  return ok({ ...current, order, ledger, now, admin, ...override, ...observation.value });
};

/** The steps of one attempt. The response is what `view` makes of the return. */
export const planCommand = async <Body>(
  session: Session,
  input: CommonInput & { readonly returnId: string },
  call: Call,
  { decide, texts = [], repeated }: PreparedCommand,
  view: ResponseOf<Body>,
): Promise<Result<Plan<Body>>> => {
  const loaded = await load(session, input.returnId);
  if (loaded === undefined) return fail(returnNotFound);
  const { state, current, key, order, ledger, ledgerVersion } = loaded;
  const metadata = eventMetadata(call, state, state.terms.policyVersion);

  const earlier = repeated?.(state);
  if (earlier?.ok === false) return earlier;
  if (earlier !== undefined) {
    const { reply } = view(current.state, allowedActions({ state: current.state, order, ledger, now: metadata.at }));
    return ok({ reply: { ...reply, replayed: true }, writes: [] });
  }
  if (!ifMatchHolds(call.ifMatch, state.version)) return fail(versionMismatch(state.version));
  const checked = check(loaded, input, call, metadata.at);
  if (!checked.ok) return checked;
  const situation = checked.value;

  const decision = await decide(situation, session);
  if (!decision.ok) return fail(decision.failure);
  const decided = decision.value;
  if (decided === undefined) return ok({ ...view(situation.state, allowedActions(situation)), writes: [] });

  const policyVersion = decided.policyDecision?.policyVersion ?? metadata.policyVersion;
  const next = appendEntries(state, decided.events, { ...metadata, policyVersion });
  const actions = allowedActions({
    state: next.state,
    order: situation.order,
    ledger: decided.ledger,
    now: metadata.at,
  });
  return ok({
    ...view(next.state, actions),
    writes: [
      ...writeChangedReturn(next, state, key, call),
      // A command that leaves the ledger unchanged writes nothing that other commands depend on.
      ...(decided.ledger === ledger ? [] : [writeLedger(situation.order, decided.ledger, ledgerVersion)]),
      ...writeTexts(next.state, [...texts, ...(decided.texts ?? [])]),
      ...(decided.writes ?? []),
      ...(decided.policyDecision?.writes ?? []),
    ],
  });
};

/**
 * Makes the operation of a command that responds with the return.
 *
 * @param prepare makes ids and text references, once for each call
 */
export const commandOnReturn =
  <Name extends ReturnReplyName>(operation: Name, prepare: (input: Input<Name>, call: Call) => PreparedCommand) =>
  async (input: Input<Name>, call: Call): Promise<Result<Reply<Output<Name>>>> => {
    const prepared = prepare(input, call);
    return execute(
      operation,
      input,
      call,
      (session) => planCommand(session, input, call, prepared, returnResponse),
      restoreReply,
    );
  };
