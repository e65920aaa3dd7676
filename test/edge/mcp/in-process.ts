import { setEnvironment } from '../../support/environment.ts';
import { stack } from '../../support/stack.ts';
import { useEngine } from '../../support/use-engine.ts';
import { type Claims, invoker } from './invoke.ts';

/* The function of agents in this process, with parameters of its own and the table of the stack. */

type InProcess = {
  /** The host of the API that received the request. @default the standalone API of the stack */
  readonly domainName?: string;
  readonly claims?: Claims;
  readonly leftMs?: number;
};

/** Returns a `fetch` whose requests the function answers. */
export const agentFunction = (
  variables: Readonly<Record<string, string>>,
  { domainName = new URL(stack().standalone.url).host, ...others }: InProcess = {},
) => {
  useEngine(stack().aws.dynamodb);
  setEnvironment({ TOKEN_ISSUER: stack().issuer, MCP_COMMAND_LIMIT: '6000', ...variables });
  const invoke = invoker({ domainName, ...others });
  return async (input: URL | string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(input, init);
    const {
      statusCode = 0,
      headers = {},
      body = '',
    } = await invoke({
      path: new URL(request.url).pathname,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.method === 'POST' ? await request.text() : undefined,
    });
    const isEmpty = statusCode === 202 || statusCode === 204;
    return new Response(isEmpty ? null : body, { status: statusCode, headers: headers as Record<string, string> });
  };
};
