import { sendToService, serviceAddress } from '../access/client/container.ts';
import { type ExchangeFailure, withoutUnsent } from '../access/client/failures.ts';
import type { Operation } from '../contract/operation.ts';
import type { Call } from '../contract/port.ts';
import { parseJson } from '../runtime/json.ts';
import { log } from '../runtime/log.ts';
import { newSpanId } from '../runtime/new-ids.ts';
import type { ServiceAnswer } from './adapter.ts';
import { failureOf, misfit, OperationFailure } from './failure.ts';
import { queryText } from './path.ts';
import type { ForeignRequest, Reply, Send, Service } from './send.ts';
import type { ErrorCode } from '../contract/errors.ts';

/** The parts of an adapter that decide what an answer means. */
export type AnswerRules = {
  readonly failures: Readonly<Record<string, ErrorCode>>;
  readonly errorIn?: (answer: ServiceAnswer) => string | undefined;
};

/** The requests of one operation so far. */
export type Progress = { calls: number };

/** What only a command has. All requests of a read may be sent twice. */
export type Writes = {
  /** Whether the service may get a write of this operation twice. */
  readonly repeatable: boolean;
  /** The headers of each write. */
  readonly headers: Readonly<Record<string, string>>;
  /** Runs before each write leaves. */
  readonly begin: () => Promise<void>;
  /** Hears that a write got no answer. */
  readonly fail: (failure: ExchangeFailure) => void;
  /** Hears that the service answered a request with an error. */
  readonly reject: (answer: {
    readonly status: number;
    readonly isWrite: boolean;
    readonly isFollowed: boolean;
  }) => void;
  /** Makes `follow` of the service. */
  readonly follow: (sendNext: SendNext) => Service['follow'];
};

export type Opening = {
  readonly rules: AnswerRules;
  readonly operation: Operation;
  readonly call: Call;
  /** The key of a command at the service. */
  readonly key?: string;
  /** Absent for a read. */
  readonly writes?: Writes;
  readonly progress: Progress;
};

/** Statuses of an outage: the same request may succeed later. */
const outages: ReadonlySet<number> = new Set([408, 421, 425, 429]);

export const isOutage = (status: number): boolean => status >= 500 || outages.has(status);

const headersOf = (
  { accept = 'application/json', contentType = 'application/json', body }: ForeignRequest,
  traceId: string,
): Record<string, string> => ({
  accept,
  'accept-encoding': 'identity',
  traceparent: `00-${traceId}-${newSpanId()}-01`,
  ...(body === undefined ? {} : { 'content-type': contentType }),
});

/** Returns the body of an answer; undefined for an empty one. */
const bodyOf = (text: string, status: number): unknown => {
  if (text.trim() === '') return undefined;
  const body = parseJson(text);
  // A page of a proxy, for example. A failure keeps its status, which says whether the service has acted.
  if (body === undefined && status < 300) throw new OperationFailure(misfit('', 'must be JSON'));
  return body;
};

/** The codes of errors that a log can have: they have no spaces, unlike a text with personal data. */
const plainCode = /^[\w.-]{1,100}$/;

/** Returns our code for an answer with an error: one of the contract of the operation. */
const failedBy = ({ rules, operation, call }: Opening, { status, body }: ServiceAnswer): ErrorCode | undefined => {
  const { failures, errorIn } = rules;
  const word = errorIn?.({ status, body });
  const key = word !== undefined && Object.hasOwn(failures, word) ? word : status;
  const code = failures[key];
  if (code !== undefined && operation.errors.includes(code)) return code;
  if (isOutage(status)) return 'dependency_unavailable';
  if (status < 300 && word === undefined) return undefined;
  log('error', 'error of the service not mapped', {
    operation: operation.name,
    traceId: call.traceId,
    status,
    ...(word !== undefined && plainCode.test(word) && { word }),
  });
  return 'dependency_refused';
};

const isRead = ({ method }: ForeignRequest): boolean => method === 'GET';

const sendOnce = async (opening: Opening, request: ForeignRequest, isFollowed: boolean): Promise<Reply<unknown>> => {
  const { call, operation, writes } = opening;
  const isWrite = !isRead(request);
  if (isWrite) await writes?.begin();
  const answer = await sendToService({
    request: {
      method: request.method,
      url: `${serviceAddress()}${request.path}${queryText(request.query)}`,
      headers: { ...headersOf(request, call.traceId), ...(isWrite && writes?.headers) },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    },
    // A command that reads needs the scope of reads too: the service may demand it.
    scopes: [isWrite ? (operation.scope ?? 'returns:read') : 'returns:read'],
    traceId: call.traceId,
    deadline: call.deadline,
    repeatable: !isWrite || writes?.repeatable !== false,
  });
  if (!answer.ok) {
    if (isWrite) writes?.fail(answer.failure);
    // A repeat gets the same answer.
    const isTooLarge = answer.failure.reason?.startsWith('too_large') === true;
    throw new OperationFailure(isTooLarge ? misfit('', 'must be smaller') : withoutUnsent(answer.failure));
  }
  const { status, headers, body } = answer.value;
  const parsed = bodyOf(body.toString(), status);
  const code = failedBy(opening, { status, body: parsed });
  if (code === undefined) return { status, headers, body: parsed };
  writes?.reject({ status, isWrite, isFollowed });
  throw new OperationFailure(failureOf(code));
};

/** Sends the next request of an operation. @param isFollowed whether it asks for the result of an earlier write */
export type SendNext = (request: ForeignRequest, isFollowed: boolean) => Promise<Reply<unknown>>;

/** @throws {TypeError} because nothing of a read is carried out later */
const followNothing = (): never => {
  throw new TypeError('only a command is followed');
};

/** The most requests of one operation to the service. */
export const maxCalls = 20;

/** Opens the service for one operation: a deadline, a limit of calls, and failures by the rules of the adapter. */
export const openService = (opening: Opening): Service => {
  const { progress, writes, key = '' } = opening;
  const sendNext: SendNext = async (request, isFollowed) => {
    progress.calls += 1;
    if (progress.calls > maxCalls)
      throw new OperationFailure(misfit('', `must need at most ${maxCalls} requests for one operation`));
    return sendOnce(opening, request, isFollowed);
  };
  return {
    send: ((request) => sendNext(request, false)) as Send,
    key,
    follow: writes?.follow(sendNext) ?? followNothing,
  };
};
