import { isIPv4, isIPv6 } from 'node:net';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isObject } from '../../runtime/json.ts';
import { invocationTraceId, traceInvocation } from '../../runtime/invocation.ts';

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

/** Returns the headers of a public document: caches may keep it for these seconds, and pages of any origin may read it. */
export const publicHeaders = (maxAgeSeconds: number) => ({
  'cache-control': `public, max-age=${maxAgeSeconds}`,
  'access-control-allow-origin': '*',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
});

/** Returns the first groups of an IPv6 address, with the zero groups that `::` omits. */
const firstGroups = (ip: string, count: number): string => {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  const expanded = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return expanded.slice(0, count).join(':');
};

/** The source of a request. A direct invocation may omit it. */
type RequestSource = { readonly requestContext: { readonly http?: { readonly sourceIp?: string } } };

/**
 * Returns the network of a request, for logs: precise enough to find a heavy sender, but not a person. It cuts an IPv4
 * address to /24 and an IPv6 address to /48. Undefined for other texts.
 */
export const networkOf = ({ requestContext }: RequestSource): string | undefined => {
  const sourceIp = requestContext.http?.sourceIp;
  if (sourceIp === undefined) return undefined;
  const mapped = sourceIp.startsWith('::') ? sourceIp.replace(/^::ffff:(?=\d+\.)/i, '') : sourceIp;
  if (isIPv4(mapped)) return `${mapped.slice(0, mapped.lastIndexOf('.'))}.0/24`;
  return isIPv6(mapped) ? `${firstGroups(mapped.toLowerCase(), 3)}::/48` : undefined;
};
