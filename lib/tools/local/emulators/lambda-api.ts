import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { parseJson } from '../../../runtime/json.ts';
import type { SendDeadLetter } from './dead-letters.ts';
import { FunctionError, type Invoke } from './functions.ts';
import { accessKeyIn, deniedMessage, type GuardOptions, isPermitted } from './guard.ts';
import type { Identities } from './identities.ts';
import type { FunctionSpec } from './function-spec.ts';
import { listen } from '../ports.ts';
import { accountId } from '../../template/cloudformation/template.ts';
import { forPrograms } from './web-page.ts';

export type LambdaApiOptions = {
  readonly functions: readonly FunctionSpec[];
  readonly invoke: Invoke;
  readonly port: number;
  /** The functions that may call. A request of another caller, such as the command line, is that of an operator. */
  readonly identities?: Identities;
  readonly onCall?: GuardOptions['onCall'];
  /** Dead-letters an event that a function failed on. */
  readonly putAside: SendDeadLetter;
};

type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

type Invocation = { readonly spec: FunctionSpec; readonly type: string; readonly payload: Buffer };

const mebibyte = 1024 * 1024;

/**
 * The maximum payload of each invocation type, in bytes. https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
const limits: ReadonlyMap<string, number> = new Map([
  ['RequestResponse', 6 * mebibyte],
  ['Event', mebibyte],
  ['DryRun', 6 * mebibyte],
]);

const sendError = (status: number, type: string, message: string) =>
  fail<Answer>({ status, headers: { 'x-amzn-errortype': type }, body: { Type: 'User', Message: message, message } });

/**
 * Finds a function by its name, its ARN or the end of it, with or without a qualifier: `$LATEST`, the alias and the
 * version have the same code here.
 */
const findFunction = (
  functions: readonly FunctionSpec[],
  identifier: string,
  qualifier: string | null,
): FunctionSpec | undefined => {
  const [, wanted = '', inName] = /^(.*?)(?::(live|1|\$LATEST))?$/.exec(identifier) ?? [];
  if (!['live', '1', '$LATEST'].includes(qualifier ?? inName ?? 'live')) return undefined;
  return functions.find(({ name, arn }) =>
    [name, `function:${name}`, `${accountId}:function:${name}`, arn.replace(/:live$/, '')].includes(wanted),
  );
};

const invocationOf = async (
  functions: readonly FunctionSpec[],
  request: IncomingMessage,
): Promise<Result<Invocation, Answer>> => {
  const payload = await buffer(request);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://lambda');
  const [, encoded] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(pathname) ?? [];
  if (encoded === undefined || request.method !== 'POST') {
    return sendError(404, 'UnknownOperationException', 'The local stack knows Invoke alone.');
  }
  const name = decodeURIComponent(encoded);
  const spec = findFunction(functions, name, searchParams.get('Qualifier'));
  if (spec === undefined) return sendError(404, 'ResourceNotFoundException', `Function not found: ${name}`);
  const type = String(request.headers['x-amz-invocation-type'] ?? 'RequestResponse');
  const limit = limits.get(type);
  if (limit === undefined) {
    return sendError(400, 'InvalidParameterValueException', `There is no invocation type ${type}.`);
  }
  if (payload.length > limit) {
    const message = `${payload.length} byte payload is too large for the ${type} invocation type (limit ${limit} bytes)`;
    return sendError(413, 'RequestTooLargeException', message);
  }
  if (payload.length === 0) return ok({ spec, type, payload: Buffer.from('{}') });
  return parseJson(payload.toString()) === undefined
    ? sendError(400, 'InvalidRequestContentException', 'Could not parse request body into json.')
    : ok({ spec, type, payload });
};

/** Rejects an invocation that the role of a calling function does not permit. */
const denialOf = (
  { identities = new Map(), onCall }: Pick<LambdaApiOptions, 'identities' | 'onCall'>,
  request: IncomingMessage,
  { arn }: FunctionSpec,
): Answer | undefined => {
  const identity = identities.get(accessKeyIn(request));
  if (identity === undefined) return undefined;
  const access = { action: 'lambda:InvokeFunction', resource: arn };
  const permitted = isPermitted(identity, access);
  onCall?.({ function: identity.function, ...access, permitted });
  return permitted ? undefined : sendError(403, 'AccessDeniedException', deniedMessage(identity, access)).failure;
};

/** Returns the report of a failure. Lambda's Node runtime writes it, or Lambda itself when the runtime has ended. */
const reportOf = (error: FunctionError, requestId: string): object => {
  if (!Object.hasOwn(error, 'cause')) {
    return { errorType: 'Sandbox.Timedout', errorMessage: `RequestId: ${requestId} Error: ${error.message}` };
  }
  const { cause } = error;
  return cause instanceof Error
    ? { errorType: cause.name, errorMessage: cause.message, trace: (cause.stack ?? '').split('\n') }
    : { errorType: typeof cause, errorMessage: JSON.stringify(cause), trace: [] };
};

/** Waits for the function and returns its result, with 200 even after a failure. */
const respond = async (run: Promise<unknown>, requestId: string): Promise<Answer> => {
  const headers = { 'x-amz-executed-version': '1' };
  try {
    return { status: 200, headers, body: await run };
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    const failed = { ...headers, 'x-amz-function-error': 'Unhandled' };
    return { status: 200, headers: failed, body: reportOf(error, requestId) };
  }
};

const write = (response: ServerResponse, { status, headers, body }: Answer, requestId: string): void => {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...(bytes.length > 0 && { 'content-type': 'application/json' }),
    ...headers,
    'content-length': bytes.length,
    'x-amzn-requestid': requestId,
  });
  response.end(bytes);
};

/**
 * Serves Lambda's Invoke for the functions of a mode, for the SDK's client and `aws lambda invoke`. A failed event is
 * dead-lettered at once, without a retry. The access key in the signature names a calling function, whose role must
 * permit the call. Signatures are not verified.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const startLambdaApi = async ({ functions, invoke, port, putAside, ...access }: LambdaApiOptions) => {
  /** The running asynchronous invocations. */
  const events = new Set<Promise<unknown>>();

  const answer = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    const invocation = await invocationOf(functions, request);
    if (!invocation.ok) return invocation.failure;
    const { spec, type, payload } = invocation.value;
    const denied = denialOf(access, request, spec);
    if (denied !== undefined) return denied;
    if (type === 'DryRun') return { status: 204 };
    const run = invoke(spec.arn, payload, 'direct', requestId);
    if (type === 'RequestResponse') return respond(run, requestId);
    // The log of the mode has the failure.
    const event: Promise<unknown> = run
      .catch(async (error: unknown) => {
        const report = error instanceof FunctionError ? reportOf(error, requestId) : {};
        await putAside({ spec, requestId, event: parseJson(payload.toString()), report });
      })
      .catch((error: unknown) => console.error(error))
      .finally(() => events.delete(event));
    events.add(event);
    return { status: 202 };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    const answered = await answer(request, requestId).catch((error: unknown) => {
      console.error(error);
      return sendError(500, 'ServiceException', 'The local stack failed.').failure;
    });
    write(response, answered, requestId);
  };

  const server = createServer(forPrograms(serve));
  const url = await listen(server, port);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
    await Promise.all(events);
  };
  return { url, close };
};
