import type { Output } from '../../contract/contract.ts';
import type { Reply } from '../../contract/port.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import type { AllowedAction } from '../../domain/returns/rules/states.ts';
import type { Session } from '../../store/engine/session.ts';
import { returnView } from '../views/views.ts';
import { readVersion } from './replay.ts';

/** The response of a command, and the part to store for repeats. Without `stored` the whole reply is stored. */
export type CommandResponse<Body> = { readonly reply: Reply<Body>; readonly stored?: StoredResponse };

/** The version of the return in a response, and its allowed actions. The history has the rest, so little is stored. */
type StoredResponse = Pick<Reply<unknown>, 'status' | 'location'> & {
  readonly shown: { readonly id: string; readonly version: number; readonly actions: readonly AllowedAction[] };
};

type CreatedOutcome = { readonly status: 201; readonly location: string };

/** Makes the response with a return and its allowed actions. */
export const returnResponse = (
  state: Return,
  actions: readonly AllowedAction[],
  outcome: CreatedOutcome | { readonly status: 200 } = { status: 200 },
): CommandResponse<Output<'getReturn'>> => {
  const { id, version } = state;
  return {
    reply: { ...outcome, body: returnView(state, { actions }), version },
    stored: { ...outcome, shown: { id, version, actions } },
  };
};

/**
 * Restores a stored reply, whole or from the version that it showed.
 * `execute` needs it for each command whose response may show a return.
 *
 * @throws Error when the history lacks that version: a history is never cut, so it is broken
 */
export const restoreReply = async <Body>(session: Session, answer: unknown): Promise<Reply<Body>> => {
  const stored = answer as StoredResponse | Reply<Body>;
  if (!('shown' in stored)) return stored;
  const { shown, ...outcome } = stored;
  const state = await readVersion(session, shown.id, shown.version);
  if (state === undefined) throw new Error(`${shown.id} has no version ${shown.version}`);
  // The fingerprint of the request proves that the response belongs to the same operation.
  const body = returnView(state, { actions: shown.actions }) as Body;
  return { ...outcome, body, version: shown.version };
};
