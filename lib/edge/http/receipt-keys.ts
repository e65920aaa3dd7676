import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { errorName, log } from '../../runtime/log.ts';
import { type HttpResponse, publicHeaders, traceIdOf } from './event.ts';
import { problemResponse } from './problem.ts';

const headers = {
  // RFC 7517, 8.5.2
  'content-type': 'application/jwk-set+json',
  // A key is published for a day before it signs, so a cached set has the keys of all receipts.
  ...publicHeaders(3600),
};

const retryAfterSeconds = 30;

/**
 * Serves the public keys of receipts on the `web` API. It answers 503 while the keys cannot be read: an empty set would
 * make valid receipts look forged.
 *
 * @param readKeys reads the keys, as a JSON Web Key Set without private members
 */
export const serveReceiptKeys =
  (readKeys: () => Promise<{ readonly keys: readonly object[] }>) =>
  async (event: APIGatewayProxyEventV2): Promise<HttpResponse> => {
    const traceId = traceIdOf(event.headers['traceparent']);
    try {
      return { statusCode: 200, headers, body: JSON.stringify(await readKeys()) };
    } catch (error) {
      log('error', 'receipt keys not served', { reason: errorName(error), traceId });
      const detail = 'The receipt keys cannot be read. Try again.';
      const { domainName } = event.requestContext;
      return problemResponse({ code: 'dependency_unavailable', detail, retryAfterSeconds }, traceId, { domainName });
    }
  };
