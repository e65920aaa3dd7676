import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An error in the format of a runtime. */
export type RuntimeError = {
  readonly errorType: string;
  readonly errorMessage: string;
  /** `trace` in aws-lambda-ric, `stackTrace` in the documentation. */
  readonly trace?: readonly string[];
};

export type RuntimeApi = AsyncDisposable & {
  /** Host and port, as in AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Returns the error that prevented the load of the function, once the runtime has reported it. */
  readonly initError: () => RuntimeError | undefined;
};

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/**
 * Starts the Runtime API of one execution environment, for the requests of aws-lambda-ric without its addon. The
 * runtime reports there why a function did not load.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export const startRuntimeApi = async (): Promise<RuntimeApi> => {
  let initError: RuntimeError | undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '' } = request;
    if (url !== '/2018-06-01/runtime/init/error') {
      return answer(response, 404, { errorType: 'NotFound', errorMessage: url });
    }
    initError = (await json(request)) as RuntimeError;
    answer(response, 202, { status: 'OK' });
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    initError: () => initError,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
