import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isObject } from '../runtime/json.ts';
import { invocationTraceId, traceInvocation } from '../runtime/invocation.ts';

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * The trace id of a W3C `traceparent` header, or that of the invocation: 32 hex digits. All further lines carry it.
 * https://www.w3.org/TR/trace-context/
 */
export const traceIdOf = (header: string | undefined): string => {
  const received = header === undefined ? undefined : traceparent.exec(header)?.[1];
  if (received === undefined || /^0+$/.test(received)) return invocationTraceId();
  traceInvocation(received);
  return received;
};

/** The request of an HTTP API (payload format 2.0). The authorizer's part is checked when it is read. */
export type HttpEvent = Omit<APIGatewayProxyEventV2, 'requestContext'> & {
  readonly requestContext: APIGatewayProxyEventV2['requestContext'] & {
    readonly authorizer?: {
      /** Of the JWT authorizer. */
      readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
      /** The context of the authorizer function. */
      readonly lambda?: Readonly<Record<string, unknown>> | null;
    };
  };
};

/**
 * Whether an HTTP API sent the event. Its fields for that cannot be set by a caller. Any other event must be a direct
 * invocation.
 */
export const isHttpEvent = (event: unknown): event is HttpEvent =>
  isObject(event) && isObject(event['requestContext']) && isObject(event['headers']);

export type HttpResponse = APIGatewayProxyStructuredResultV2;
