import type { Context } from 'aws-lambda';
import { serveMcp } from '../../../lib/edge/mcp/serve-mcp.ts';
import type { HttpEvent } from '../../../lib/edge/http/event.ts';
import { setEnvironment } from '../../support/environment.ts';
import { stack } from '../../support/stack.ts';
import { useEngine } from '../../support/use-engine.ts';

/* The function of agents in this process, with parameters of its own and the table of the stack. */

/** Who calls, as the authorizer of the gateway verified it. */
type Claims = { readonly client_id: string; readonly scope: string };

type InProcess = {
  /** The host of the API that received the request. @default the standalone API of the stack */
  readonly domainName?: string;
  readonly claims?: Claims;
  /** Milliseconds that the function has left. @default 20,000 */
  readonly leftMs?: number;
};

/** Returns a `fetch` whose requests the function answers. */
export const agentFunction = (
  variables: Readonly<Record<string, string>>,
  {
    domainName = new URL(stack().standalone.url).host,
    claims = { client_id: 'returns-admin', scope: 'returns:read returns:write returns:admin' },
    leftMs = 20_000,
  }: InProcess = {},
) => {
  useEngine(stack().aws.dynamodb);
  setEnvironment({ TOKEN_ISSUER: stack().issuer, MCP_COMMAND_LIMIT: '60', ...variables });
  const handler = serveMcp();
  return async (input: URL | string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(input, init);
    const event = {
      rawPath: new URL(request.url).pathname,
      headers: Object.fromEntries(request.headers),
      body: request.method === 'POST' ? await request.text() : undefined,
      isBase64Encoded: false,
      requestContext: { domainName, http: { method: request.method }, authorizer: { jwt: { claims } } },
    } as unknown as HttpEvent;
    const {
      statusCode = 0,
      headers = {},
      body = '',
    } = await handler(event, {
      getRemainingTimeInMillis: () => leftMs,
    } as Context);
    const isEmpty = statusCode === 202 || statusCode === 204;
    return new Response(isEmpty ? null : body, { status: statusCode, headers: headers as Record<string, string> });
  };
};
