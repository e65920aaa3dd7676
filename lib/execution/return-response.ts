import type { OperationName, Output } from '../contract/contract.ts';
import type { Call, Reply } from '../contract/port.ts';
import type { Result } from '../contract/result.ts';
import type { Return } from '../returns/model/return.ts';
import type { AllowedAction } from '../returns/rules/states.ts';
import type { Session } from '../store/engine/session.ts';
import { returnView } from '../views/views.ts';
import { execute, type MakePlan } from './execute.ts';
import { readVersion } from './replay.ts';

/** What a command answers with, and what is kept of it for repeats: without `kept`, the whole reply. */
export type CommandResponse<Body> = { readonly reply: Reply<Body>; readonly kept?: StoredResponse };

/** Which return an answer shows, and what it allowed then. The history has the rest, so that little is stored. */
type StoredResponse = Pick<Reply<unknown>, 'status' | 'location'> & {
  readonly shown: { readonly id: string; readonly version: number; readonly actions: readonly AllowedAction[] };
};

type CreatedOutcome = { readonly status: 201; readonly location: string };

/** Answers with a return, and with what may be done with it. */
export const returnResponse = (
  state: Return,
  actions: readonly AllowedAction[],
  outcome: CreatedOutcome | { readonly status: 200 } = { status: 200 },
): CommandResponse<Output<'getReturn'>> => {
  const { id, version } = state;
  return {
    reply: { ...outcome, body: returnView(state, { actions }), version },
    kept: { ...outcome, shown: { id, version, actions } },
  };
};

/**
 * The reply that was kept, whole or as what it showed.
 *
 * @throws Error when the history has no such version: a history is never cut, so that it is broken
 */
const restoreReply = async <Body>(session: Session, answer: unknown): Promise<Reply<Body>> => {
  const kept = answer as StoredResponse | Reply<Body>;
  if (!('shown' in kept)) return kept;
  const { shown, ...outcome } = kept;
  const state = await readVersion(session, shown.id, shown.version);
  if (state === undefined) throw new Error(`${shown.id} has no version ${shown.version}`);
  // The fingerprint of the request tells that it is an answer of the same operation.
  const body = returnView(state, { actions: shown.actions }) as Body;
  return { ...outcome, body, version: shown.version };
};

/** Runs a command whose answers show a return, or some of them. */
export const executeReturnCommand = async <Body>(
  operation: OperationName,
  input: object,
  call: Call,
  plan: MakePlan<Body>,
): Promise<Result<Reply<Body>>> => execute(operation, input, call, plan, restoreReply<Body>);
