import type { Context } from 'aws-lambda';
import { serveMcp } from '../../../lib/edge/mcp/serve-mcp.ts';
import type { HttpEvent } from '../../../lib/edge/http/event.ts';

/* The function of agents in this process, as the gateway invokes it. */

/** Who calls, as the authorizer of the gateway verified it. */
export type Claims = { readonly client_id: string; readonly scope: string };

type Invocation = {
  /** The host of the API that received the request. */
  readonly domainName: string;
  readonly claims?: Claims;
  /** Milliseconds that the function has left. @default 20,000 */
  readonly leftMs?: number;
};

const everyScope: Claims = { client_id: 'returns-admin', scope: 'returns:read returns:write returns:admin' };

/** Returns the function, which takes the parts of a request that it reads. */
export const invoker = ({ domainName, claims = everyScope, leftMs = 20_000 }: Invocation) => {
  const handler = serveMcp();
  return async ({
    path = '/mcp',
    method = 'POST',
    headers,
    body,
  }: {
    readonly path?: string;
    readonly method?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  }) => {
    const event = {
      rawPath: path,
      headers,
      body,
      isBase64Encoded: false,
      requestContext: { domainName, http: { method }, authorizer: { jwt: { claims } } },
    } as unknown as HttpEvent;
    return handler(event, { getRemainingTimeInMillis: () => leftMs } as Context);
  };
};
