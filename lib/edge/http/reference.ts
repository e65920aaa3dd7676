import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import reference from '#contract/reference.json' with { type: 'json' };
import { log } from '../../runtime/log.ts';
import { compressedResponse } from './compressed.ts';
import { type HttpResponse, traceIdOf } from './event.ts';
import { problemResponse } from './problem.ts';

/**
 * The start page, and one page for each operation, event, error code and type: a script of the page opens the right
 * one.
 */
const pages = /^\/docs(\/(operations|events|errors|types)\/[A-Za-z0-9._-]+)?$/;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=300',
  etag: reference.etag,
  vary: 'Accept-Encoding',
  // The page has one style and one script, and loads nothing.
  'content-security-policy': reference.policy,
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const page = (event: APIGatewayProxyEventV2): HttpResponse => {
  if (event.headers['if-none-match']?.includes(reference.etag) === true) return { statusCode: 304, headers, body: '' };
  return compressedResponse(event, headers, reference.gzip);
};

/**
 * Serves the reference of the API on the `web` API, for browsers. The address of an error's page is the type of its
 * problem: `/docs/errors/return_not_found`.
 */
export const serveReference =
  () =>
  async (event: APIGatewayProxyEventV2): Promise<HttpResponse> => {
    if (pages.test(event.rawPath)) return page(event);
    const traceId = traceIdOf(event.headers['traceparent']);
    log('info', 'page not found', { traceId });
    const { domainName } = event.requestContext;
    const errors = [{ path: '/group', code: 'unknown', message: 'must be /docs, or /docs/errors/ and an error code' }];
    return problemResponse({ code: 'invalid_request', detail: 'There is no such page.', errors }, traceId, {
      domainName,
    });
  };
