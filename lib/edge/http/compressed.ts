import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpResponse } from './event.ts';

/** Whether a value of Accept-Encoding accepts gzip (RFC 9110, 12.5.3). */
const acceptsGzip = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((part) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+)?\s*$/i.test(part));

/**
 * Returns a response whose body is stored compressed. A caller without gzip gets it uncompressed.
 *
 * @param gzip the compressed body, in Base64
 */
export const compressedResponse = (
  event: APIGatewayProxyEventV2,
  headers: Readonly<Record<string, string>>,
  gzip: string,
): HttpResponse =>
  acceptsGzip(event.headers['accept-encoding'])
    ? { statusCode: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzip, isBase64Encoded: true }
    : { statusCode: 200, headers, body: gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8') };
