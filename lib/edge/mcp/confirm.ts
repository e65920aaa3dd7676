import type { AgentTool } from '../../contract/service/agent-tools.ts';
import type { Operation } from '../../contract/operation.ts';
import { callerParts } from '../../contract/port.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Failure } from '../../contract/result.ts';
import { sha256Of } from '../../domain/returns/history/canonical-json.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { newUlid } from '../../runtime/new-ids.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { type Confirmation, readConfirmation, storeConfirmation, storeSent } from '../../store/agents/agents.ts';
import type { Session } from '../../store/engine/session.ts';
import { problemOf } from '../http/problem.ts';
import { type AgentVisit, callApi } from './call-api.ts';

/*
 * A command of an agent takes two calls. The first rehearses it and gets the id of a confirmation. The second sends it,
 * with the version of the rehearsal. For a service that takes no version, it reads the return again first. A stored row
 * proves the first call: so no key has to be kept, and no id can be forged.
 */

/** What a command needs besides the caller: its tool, its input, and the record of getReturn. */
export type Command = { readonly tool: AgentTool; readonly input: JsonObject; readonly getReturn: Operation };

/** What the first call of a command says. */
export type Rehearsal = {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The answer that the command would have. Absent where the service rehearses nothing. */
  readonly answer?: JsonObject;
  /** The return as it is now, where there is no such answer. */
  readonly current?: JsonObject;
};

/** The digest of a command: another operation, input or caller has another one. */
const bindingOf = ({ caller }: AgentVisit, { tool, input }: Command): string =>
  sha256Of({
    operation: tool.operation.name,
    input,
    caller: callerParts(caller),
    ...(caller.onBehalfOf !== undefined && { onBehalfOf: caller.onBehalfOf }),
  });

/** The key of the command, in both calls: so a repeat of the second is a replay. */
const keyOf = (id: string): string => `mcp-${id}`;

const versionOf = (body: JsonObject): number | undefined => {
  const { version } = body;
  return typeof version === 'number' && Number.isSafeInteger(version) ? version : undefined;
};

/** Rehearses a command, and stores that its caller may send it. */
export const rehearse = async (
  visit: AgentVisit,
  session: Session,
  command: Command,
  now: number,
): Promise<Result<Rehearsal, Problem>> => {
  const { tool, input, getReturn } = command;
  const { operation } = tool;
  const { returnId } = input;
  const current = returnId === undefined ? undefined : await callApi(visit, getReturn, { returnId });
  // The rehearsal itself says best why a command is not possible.
  if (current?.ok === false && !operation.dryRun) return current;
  const version = current?.ok === true && operation.ifMatch === 'optional' ? versionOf(current.value) : undefined;
  const id = `cnf_${newUlid()}`;
  const rehearsed = operation.dryRun
    ? await callApi(visit, operation, input, {
        idempotencyKey: keyOf(id),
        ...(version !== undefined && { ifMatch: version }),
        dryRun: true,
      })
    : undefined;
  if (rehearsed?.ok === false) return rehearsed;
  if (current?.ok === false) return current;
  const guard = version === undefined ? current && { current: sha256Of(current.value) } : { version };
  const until = await storeConfirmation(session, id, { binding: bindingOf(visit, command), ...guard }, now);
  return ok({
    id,
    until,
    ...(rehearsed !== undefined && { answer: rehearsed.value }),
    ...(rehearsed === undefined && current !== undefined && { current: current.value }),
  });
};

const idPattern = /^cnf_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Returns the confirmation of a command; a problem for an id of another command, another caller, or a past time. */
export const findConfirmation = async (
  visit: AgentVisit,
  session: Session,
  command: Command,
  id: unknown,
  now: number,
): Promise<Result<Confirmation, Problem>> => {
  const isId = typeof id === 'string' && idPattern.test(id);
  const found = isId ? await readConfirmation(session, id, now) : undefined;
  if (found?.binding === bindingOf(visit, command)) return ok(found);
  const detail =
    'The confirmation belongs to no rehearsal of this command with this input by this caller in the last five minutes. Call the tool without `confirmation`.';
  const errors = [{ path: '/confirmation', code: 'unknown', message: 'must be the id of the last rehearsal' }];
  return fail(problemOf({ code: 'invalid_request', detail, errors }, visit.traceId, visit.domainName));
};

const changed: Failure = {
  code: 'version_mismatch',
  detail: 'The return has changed since the rehearsal.',
  errors: [{ path: '/confirmation', code: 'version', message: 'must be the id of a rehearsal of the present return' }],
};

/** Compares the return with that of the rehearsal, for a service that takes no version. A repeat compares nothing. */
const findChange = async (
  visit: AgentVisit,
  session: Session,
  { input, getReturn }: Command,
  id: string,
  confirmation: Confirmation,
): Promise<Problem | undefined> => {
  if (confirmation.current === undefined) return undefined;
  const { returnId } = input;
  const present = await callApi(visit, getReturn, { returnId });
  if (!present.ok) return present.failure;
  if (sha256Of(present.value) !== confirmation.current) return problemOf(changed, visit.traceId, visit.domainName);
  await storeSent(session, id, confirmation);
  return undefined;
};

/** Sends a confirmed command, unless the return has changed since its rehearsal. */
export const sendConfirmed = async (
  visit: AgentVisit,
  session: Session,
  command: Command,
  id: string,
  confirmation: Confirmation,
): Promise<Result<JsonObject, Problem>> => {
  const change = await findChange(visit, session, command, id, confirmation);
  if (change !== undefined) return fail(change);
  const { version } = confirmation;
  return callApi(visit, command.tool.operation, command.input, {
    idempotencyKey: keyOf(id),
    ...(version !== undefined && { ifMatch: version }),
  });
};

/** Returns the amount of the refund that a command names, else of the last one of its answer. */
export const refundOf = ({ refundId }: JsonObject, answer: JsonObject | undefined): JsonObject | undefined => {
  const given: unknown = answer?.['refunds'];
  const refunds: readonly unknown[] = Array.isArray(given) ? given : [];
  const found =
    refundId === undefined
      ? refunds.at(-1)
      : refunds.find((refund) => isObject(refund) && refund['refundId'] === refundId);
  const amount = isObject(found) ? found['amount'] : undefined;
  return isObject(amount) ? amount : undefined;
};
