import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { aheadHeader } from './clock.ts';

/** An error as a runtime words it. */
export type RuntimeError = {
  readonly errorType: string;
  readonly errorMessage: string;
  /** `trace` in aws-lambda-ric, `stackTrace` in the documentation. */
  readonly trace?: readonly string[];
};

/** How an invocation ended. */
export type Outcome =
  | { readonly kind: 'response'; readonly payload: unknown }
  | { readonly kind: 'error'; readonly error: RuntimeError };

type Invocation = {
  readonly requestId: string;
  readonly event: unknown;
  readonly timeoutMs: number;
  readonly resolve: (outcome: Outcome) => void;
};

export type RuntimeApi = AsyncDisposable & {
  /** Host and port, as AWS_LAMBDA_RUNTIME_API holds them. */
  readonly address: string;
  /** Hands an event to the runtime, when it asks for the next one. */
  readonly invoke: (event: unknown, timeoutMs: number) => Promise<Outcome>;
  /** Lets the function find the wall clock this much further on, with the next event. */
  readonly skip: (ms: number) => void;
  /** What kept the function from loading, once the runtime has said so. */
  readonly initError: () => RuntimeError | undefined;
};

const base = '/2018-06-01/runtime';

const traceId = (): string =>
  `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')};Sampled=0`;

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/**
 * The Runtime API of one execution environment: it has one event in work at a time.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export const startRuntimeApi = async (functionArn: string): Promise<RuntimeApi> => {
  const waiting: Invocation[] = [];
  const working = new Map<string, Invocation>();
  let poll: ServerResponse | undefined;
  let initError: RuntimeError | undefined;
  let ahead = 0;

  const hand = (): void => {
    const invocation = poll === undefined ? undefined : waiting.shift();
    if (invocation === undefined || poll === undefined) return;
    working.set(invocation.requestId, invocation);
    poll.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.requestId,
      'lambda-runtime-deadline-ms': String(Date.now() + ahead + invocation.timeoutMs),
      [aheadHeader]: String(ahead),
      'lambda-runtime-invoked-function-arn': functionArn,
      'lambda-runtime-trace-id': traceId(),
    });
    poll.end(JSON.stringify(invocation.event));
    poll = undefined;
  };

  const settle = async (requestId: string, outcome: Outcome, response: ServerResponse): Promise<void> => {
    const invocation = working.get(requestId);
    if (!working.delete(requestId)) {
      return answer(response, 400, { errorType: 'InvalidRequestID', errorMessage: 'Invalid request ID' });
    }
    answer(response, 202, { status: 'OK' });
    invocation?.resolve(outcome);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    if (request.method === 'GET' && path === `${base}/invocation/next`) {
      poll = response;
      return hand();
    }
    const [, requestId = '', end] = new RegExp(`^${base}/invocation/([^/]+)/(response|error)$`).exec(path) ?? [];
    const body = await json(request);
    if (end === 'response') return settle(requestId, { kind: 'response', payload: body }, response);
    if (end === 'error') return settle(requestId, { kind: 'error', error: body as RuntimeError }, response);
    if (path !== `${base}/init/error`) return answer(response, 404, { errorType: 'NotFound', errorMessage: path });
    initError = body as RuntimeError;
    answer(response, 202, { status: 'OK' });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoke: (event, timeoutMs) =>
      new Promise((resolve) => {
        waiting.push({ requestId: randomUUID(), event, timeoutMs, resolve });
        hand();
      }),
    skip: (ms) => {
      ahead += ms;
    },
    initError: () => initError,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
