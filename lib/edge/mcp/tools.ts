import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { type AgentTool, isCommandTool } from '../../contract/service/agent-tools.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Problem } from '../../contract/problem.ts';
import { pointer, unknownField } from '../../contract/validation/unknown-field.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { openSession } from '../../store/engine/session.ts';
import { problemOf } from '../http/problem.ts';
import { type AgentVisit, callApi } from './call-api.ts';
import { type Command, findConfirmation, refundOf, rehearse, sendConfirmed } from './confirm.ts';
import { answerForAgent, errorForAgent, outcomeForAgent, shaped } from './results.ts';

/* One call of a tool. */

/** What calls of tools depend on, besides the request. */
export type ToolSettings = {
  /** The address of the console, for links. */
  readonly consoleUrl: string | undefined;
  /** Whether a person must confirm commands that pay or reject. */
  readonly asksPerson: boolean;
  /** The record of getReturn, which a rehearsal reads first. */
  readonly getReturn: Operation;
};

type ToolResult = CallToolResult | InputRequiredResult;

/** A page that an agent can read. */
const pageSize = 10;

const resultOf = (content: JsonObject, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: { ...content },
  ...(isError && { isError }),
});

const problemResult = (problem: Problem): CallToolResult => resultOf(errorForAgent(problem), true);

const fitsIntoQuery = (value: unknown): boolean => [value].flat().every((item) => typeof item !== 'object');

/**
 * Checks the names of the input, and that a query can hold its values. The service checks all else: it would see neither
 * an unknown name of a query nor an object there.
 */
const checkInput = (
  { input, operation }: AgentTool,
  given: JsonObject,
  visit: AgentVisit,
): Result<JsonObject, Problem> => {
  const properties = input['properties'];
  const known = isObject(properties) ? Object.keys(properties) : [];
  const message = 'must be text, a number or a boolean, or a list of these';
  const errors = [
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .slice(0, 20)
      .map((name) => ({ path: pointer(name), code: 'unknown_field', message: unknownField(name, known) })),
    ...operation.query
      .filter((name) => !fitsIntoQuery(given[name]))
      .map((name) => ({ path: pointer(name), code: 'type', message })),
  ];
  if (errors.length === 0) return ok(given);
  const detail = 'The input has fields that the tool does not have, or values that no query can hold.';
  return fail(problemOf({ code: 'invalid_request', detail, errors }, visit.traceId, visit.domainName));
};

const read = async (tool: AgentTool, input: JsonObject, visit: AgentVisit, settings: ToolSettings) => {
  const { operation } = tool;
  const paged = operation.query.includes('limit') ? { limit: pageSize, ...input } : input;
  const answer = await callApi(visit, operation, paged);
  return answer.ok ? resultOf(answerForAgent(tool, answer.value, settings.consoleUrl)) : problemResult(answer.failure);
};

const rehearseFirst = async (command: Command, visit: AgentVisit, { consoleUrl }: ToolSettings) => {
  using session = openSession(visit.deadline);
  const rehearsal = await rehearse(visit, session, command, Date.now());
  if (!rehearsal.ok) return problemResult(rehearsal.failure);
  const { tool, input } = command;
  const { id, until, answer, current } = rehearsal.value;
  const refund = refundOf(input, answer);
  return resultOf({
    status: 'rehearsed',
    ...(answer !== undefined && { wouldBe: outcomeForAgent(tool, answer, consoleUrl) }),
    ...(current !== undefined && { request: input, current: answerForAgent(tool, current, consoleUrl) }),
    ...(tool.confirmedByPerson && refund !== undefined && { refund: shaped(refund, undefined) }),
    confirmation: id,
    confirmUntil: new Date(until).toISOString(),
    next: 'Nothing has changed. Show this to the person. To carry it out, repeat the call with `confirmation`.',
  });
};

/** Asks the person in the client. The message holds an id and no text of a customer. */
const askPerson = ({ tool, input }: Command): InputRequiredResult => {
  const { returnId } = input;
  const about = typeof returnId === 'string' ? ` Return: ${returnId}.` : '';
  return inputRequired({
    inputRequests: {
      person: inputRequired.elicit({
        message: `${tool.operation.summary}?${about}`,
        requestedSchema: {
          type: 'object',
          properties: { agree: { type: 'boolean', title: 'I agree', description: 'Carries out the command' } },
          required: ['agree'],
        },
      }),
    },
  });
};

const notAgreed = (visit: AgentVisit): Problem =>
  problemOf(
    {
      code: 'second_person_required',
      detail: 'The person has not agreed, so nothing was sent.',
      errors: [{ path: '/confirmation', code: 'person', message: 'must be agreed to by a person' }],
    },
    visit.traceId,
    visit.domainName,
  );

/** The answers of the client to questions of an earlier round. */
export type Answers = Readonly<Record<string, unknown>> | undefined;

const sendAfter = async (
  command: Command,
  confirmation: unknown,
  answers: Answers,
  visit: AgentVisit,
  settings: ToolSettings,
): Promise<ToolResult> => {
  const { tool } = command;
  using session = openSession(visit.deadline);
  const found = await findConfirmation(visit, session, command, confirmation, Date.now());
  if (!found.ok) return problemResult(found.failure);
  if (settings.asksPerson && tool.confirmedByPerson) {
    if (answers?.['person'] === undefined) return askPerson(command);
    if (acceptedContent(answers, 'person')?.['agree'] !== true) return problemResult(notAgreed(visit));
  }
  const outcome = await sendConfirmed(visit, session, command, String(confirmation), found.value);
  if (!outcome.ok) return problemResult(outcome.failure);
  return resultOf({ status: 'done', ...outcomeForAgent(tool, outcome.value, settings.consoleUrl) });
};

/**
 * Calls a tool: a read at once, and a command in two calls.
 *
 * @param given the arguments of the call
 */
export const callTool = async (
  tool: AgentTool,
  { confirmation, ...given }: JsonObject,
  answers: Answers,
  visit: AgentVisit,
  settings: ToolSettings,
): Promise<ToolResult> => {
  const input = checkInput(tool, given, visit);
  if (!input.ok) return problemResult(input.failure);
  if (!isCommandTool(tool)) return read(tool, input.value, visit, settings);
  const command = { tool, input: input.value, getReturn: settings.getReturn };
  return confirmation === undefined
    ? rehearseFirst(command, visit, settings)
    : sendAfter(command, confirmation, answers, visit, settings);
};
