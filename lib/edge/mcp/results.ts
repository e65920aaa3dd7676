import type { AgentTool, ForeignTexts } from '../../contract/service/agent-tools.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Problem } from '../../contract/problem.ts';
import { decimalText } from '../../domain/money/decimal.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';

/*
 * Answers of the API as agents read them: without empty members, money also as text, and each text that people or shops
 * wrote in an object of its own. So no such text can look like a sentence of this API.
 */

const isMoney = (value: JsonObject): value is { readonly amount: number; readonly currency: string } =>
  typeof value['amount'] === 'number' && typeof value['currency'] === 'string' && Object.keys(value).length === 2;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

const membersOf = (texts: ForeignTexts | undefined): Readonly<Record<string, ForeignTexts>> =>
  isObject(texts) ? texts : {};

const itemsOf = (texts: ForeignTexts | undefined): ForeignTexts | undefined =>
  Array.isArray(texts) ? (texts[0] as ForeignTexts) : undefined;

/** Members for other programs: the proof of a history, the trace of a cause, and texts for search engines. */
const technical: ReadonlySet<string> = new Set([
  'mac',
  'previousHash',
  'sealed',
  'causationId',
  'correlationId',
  'formats',
]);

/** Actions that another status allows say nothing about this return. */
const otherStatus = 'invalid_transition';

const namesOf = (actions: readonly JsonObject[]): readonly string[] => actions.map(({ action }) => String(action));

/** Shortens the actions of a return: the names of those that are possible, and why others are not. */
const shortActions = (actions: readonly JsonObject[]): JsonObject => {
  const blocked = actions.filter(({ allowed, blockedBy }) => allowed !== true && blockedBy !== otherStatus);
  return {
    allowedActions: namesOf(actions.filter(({ allowed }) => allowed === true)),
    ...(blocked.length > 0 && {
      blockedActions: Object.fromEntries(blocked.map(({ action, blockedBy }) => [String(action), blockedBy])),
    }),
  };
};

const isActions = (name: string, member: unknown): member is readonly JsonObject[] =>
  name === 'allowedActions' && Array.isArray(member) && member.every(isObject);

/**
 * Shapes an answer, or a part of one.
 *
 * @param texts where the part has texts of people and shops
 */
export const shaped = (value: unknown, texts: ForeignTexts | undefined): unknown => {
  if (texts === 'text') return { untrusted: value };
  if (Array.isArray(value)) return value.map((item) => shaped(item, itemsOf(texts)));
  if (!isObject(value)) return value;
  if (isMoney(value)) return { ...value, text: `${decimalText(value) ?? value.amount} ${value.currency}` };
  const members = membersOf(texts);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (isEmpty(member) || technical.has(name)) return [];
      if (isActions(name, member)) return Object.entries(shortActions(member));
      const inner = shaped(member, Object.hasOwn(members, name) ? members[name] : members['*']);
      return isEmpty(inner) ? [] : [[name, inner]];
    }),
  );
};

/** The members of a return that tell what a command has done. */
const afterCommand = [
  'returnId',
  'rmaNumber',
  'status',
  'version',
  'lines',
  'parcels',
  'refundStatus',
  'refunds',
  'refundDueBy',
  'allowedActions',
  'nextStep',
];

/** Adds the address of a return in the console. */
const linked = (shown: unknown, consoleUrl: string | undefined): unknown => {
  const returnId = isObject(shown) ? shown['returnId'] : undefined;
  if (consoleUrl === undefined || !isObject(shown) || typeof returnId !== 'string') return shown;
  return { ...shown, link: `${consoleUrl}/returns/${encodeURIComponent(returnId)}` };
};

/** Shapes the answer to a read: a return, or a list of returns, with links. */
export const answerForAgent = (tool: AgentTool, answer: unknown, consoleUrl: string | undefined): JsonObject => {
  const shown = linked(shaped(answer, tool.foreignTexts), consoleUrl);
  if (!isObject(shown) || !isObject(answer) || !Array.isArray(answer['items'])) return { answer: shown };
  // An empty list stays: without it, an agent cannot tell that nothing was found.
  const items = Array.isArray(shown['items']) ? shown['items'] : [];
  return { answer: { ...shown, items: items.map((item) => linked(item, consoleUrl)) } };
};

/** Shapes the answer to a command: what follows from it. */
export const outcomeForAgent = (tool: AgentTool, answer: unknown, consoleUrl: string | undefined): JsonObject => {
  const short = isObject(answer)
    ? Object.fromEntries(afterCommand.flatMap((name) => (name in answer ? [[name, answer[name]]] : [])))
    : answer;
  return answerForAgent(tool, short, consoleUrl);
};

const repeat = 'Wait `retryAfterSeconds`, or ten seconds, then repeat the same call.';

/** What an agent does after an error, by code. */
const nextByCode: Partial<Record<ErrorCode, string>> = {
  version_mismatch: 'The return has changed since the rehearsal. Read it, then call the tool without `confirmation`.',
  insufficient_scope: 'The token lacks the scope. Tell the person, and try no other tool for it.',
  override_requires_admin: 'Only an administrator may do this. Tell the person.',
  refund_above_limit: 'Only an administrator may pay so much. Tell the person.',
  quote_stale: 'Call quoteReturn again, and use its new `hash`.',
  idempotency_key_in_progress: repeat,
  rate_limited: repeat,
  dependency_unavailable: repeat,
  timeout: repeat,
};

/** What an agent does after an error of a status. */
const nextByStatus: Readonly<Record<number, string>> = {
  400: 'Correct the fields that `errors` names, then call the tool again.',
  404: 'Check the id. findReturns finds returns and orders by their numbers.',
  409: 'Read the return: `allowedActions` lists what is possible now.',
  422: 'Change the input as `detail` says, or tell the person why it is not possible.',
};

const otherwise = 'Tell the person, with the `traceId`. Do not repeat the call.';

/** Shapes a problem, and says what to do next. */
export const errorForAgent = (problem: Problem): JsonObject => {
  const { code, status, detail, errors, allowedActions, returnId, retryAfterSeconds, traceId } = problem;
  const next = nextByCode[code] ?? nextByStatus[status] ?? otherwise;
  return {
    error: shaped({ code, detail, errors, allowedActions, returnId, retryAfterSeconds, traceId, next }, undefined),
  };
};
