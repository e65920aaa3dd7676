import { setTimeout as pause } from 'node:timers/promises';
import { sendToService, serviceAddress } from '../access/client/container.ts';
import { withoutUnsent } from '../access/client/failures.ts';
import { isProvenUnsent } from '../access/client/unsent.ts';
import type { Operation } from '../contract/operation.ts';
import type { Call } from '../contract/port.ts';
import { parseJson } from '../runtime/json.ts';
import { log } from '../runtime/log.ts';
import { newSpanId } from '../runtime/new-ids.ts';
import type { ServiceAnswer } from './adapter.ts';
import { failureOf, misfit, OperationFailure, unknownEffect } from './failure.ts';
import { queryText } from './path.ts';
import type { ForeignRequest, Reply, Send, Service } from './send.ts';
import type { ErrorCode } from '../contract/errors.ts';

/** The parts of an adapter that decide what an answer means. */
export type AnswerRules = {
  readonly failures: Readonly<Record<string, ErrorCode>>;
  readonly errorIn?: (answer: ServiceAnswer) => string | undefined;
};

/** What one operation has sent so far. */
export type Progress = {
  calls: number;
  /** Writes that may have reached the service. */
  sentWrites: number;
  /** Writes that the service rejected, so that they had no effect. */
  rejectedWrites: number;
};

export type Opening = {
  readonly rules: AnswerRules;
  readonly operation: Operation;
  readonly call: Call;
  /** The key of a command at the service. */
  readonly key?: string;
  /** Whether the service may get a write of this operation twice. */
  readonly repeatable: boolean;
  /** A header of each write. */
  readonly writeHeaders?: Readonly<Record<string, string>>;
  /** Runs before each write leaves. */
  readonly beforeWrite?: () => Promise<void>;
  readonly progress: Progress;
};

/** The most requests of one operation to the service. */
const maxCalls = 20;

/** Statuses of an outage: the same request may succeed later. */
const outages: ReadonlySet<number> = new Set([408, 421, 425, 429]);

const isOutage = (status: number): boolean => status >= 500 || outages.has(status);

const isRedirection = (status: number): boolean => status >= 300 && status < 400;

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

/** The words of errors that a log can have: a text of the service may have personal data. */
const plainWord = /^[\w.-]{1,100}$/;

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
    ...(word !== undefined && plainWord.test(word) && { word }),
  });
  return 'dependency_refused';
};

const isRead = ({ method }: ForeignRequest): boolean => method === 'GET';

/** @param followed whether the request asks for the result of an earlier write */
const sendOnce = async (opening: Opening, request: ForeignRequest, followed = false): Promise<Reply<unknown>> => {
  const { call, operation, repeatable, writeHeaders, progress } = opening;
  const write = !isRead(request);
  if (write) progress.sentWrites += 1;
  const answer = await sendToService({
    request: {
      method: request.method,
      url: `${serviceAddress()}${request.path}${queryText(request.query)}`,
      headers: { ...headersOf(request, call.traceId), ...(write ? writeHeaders : undefined) },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    },
    // A command that reads needs the scope of reads too: the service may demand it.
    scopes: [write ? (operation.scope ?? 'returns:read') : 'returns:read'],
    traceId: call.traceId,
    deadline: call.deadline,
    repeatable: repeatable || !write,
  });
  if (!answer.ok) {
    const isUnsent = isProvenUnsent(answer.failure);
    if (write && isUnsent) progress.sentWrites -= 1;
    throw new OperationFailure(withoutUnsent(answer.failure), isUnsent);
  }
  const { status, headers, body } = answer.value;
  const parsed = bodyOf(body.toString(), status);
  const code = failedBy(opening, { status, body: parsed });
  if (code === undefined) return { status, headers, body: parsed };
  // An outage and a redirection leave open whether the service has acted: 303 comes after the act (RFC 9110, 15.4.4). A
  // result that is an error is the end of a write, too.
  if (write ? !isOutage(status) && !isRedirection(status) : followed && status < 300) progress.rejectedWrites += 1;
  throw new OperationFailure(failureOf(code));
};

/** The pauses between two reads of a command that the service carries out later. */
const firstPauseMs = 200;
const maxPauseMs = 1_000;
/** What the last read and the answer need. */
const marginMs = 1_000;

/** Opens the service for one operation: a deadline, a limit of calls, and failures by the rules of the adapter. */
export const openService = (opening: Opening): Service => {
  const { progress, call, beforeWrite } = opening;
  const sendNext = async (request: ForeignRequest, followed: boolean): Promise<Reply<unknown>> => {
    progress.calls += 1;
    if (progress.calls > maxCalls)
      throw new OperationFailure(misfit('', `must need at most ${maxCalls} requests for one operation`));
    if (!isRead(request)) await beforeWrite?.();
    return sendOnce(opening, request, followed);
  };
  return {
    send: ((request) => sendNext(request, false)) as Send,
    key: opening.key ?? '',
    follow: async (request, isDone) => {
      for (let wait = firstPauseMs; ; wait = Math.min(maxPauseMs, wait * 2)) {
        const reply = (await sendNext(request, true)) as Reply<Parameters<typeof isDone>[0]>;
        if (isDone(reply.body)) return reply;
        if (Date.now() + wait + marginMs > call.deadline || progress.calls >= maxCalls)
          throw new OperationFailure(unknownEffect);
        await pause(wait);
      }
    },
  };
};
