import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import reference from '#contract/reference.json' with { type: 'json' };
import { compressedResponse } from './compressed.ts';
import type { HttpResponse } from './event.ts';

/** The start page, and one for each operation, event, error code and type: a script of the page opens the right one. */
const paths: ReadonlySet<string> = new Set(['', '/', ...reference.pages.map((page) => `/${page}`)]);

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

/**
 * Serves the reference of the API on the `web` API, for browsers. The address of an error's page is the type of its
 * problem: `/docs/errors/return_not_found`. Each other address below `/docs` is 404: its page says so, and has the
 * search.
 */
export const serveReference =
  () =>
  async (event: APIGatewayProxyEventV2): Promise<HttpResponse> => {
    const isPage = paths.has(event.rawPath.slice('/docs'.length));
    const isCurrent = event.headers['if-none-match']?.includes(reference.etag) === true;
    if (isPage && isCurrent) return { statusCode: 304, headers, body: '' };
    return { ...compressedResponse(event, headers, reference.gzip), statusCode: isPage ? 200 : 404 };
  };
