import type { Reply } from '../backend/port.ts';
import type { Result } from '../contract/result.ts';
import { jsonText } from '../json.ts';
import type { HttpResponse } from './event.ts';
import { problem } from './problem.ts';

/** The answer to a request, from what the backend said. */
export const respond = (result: Result<Reply<unknown>>, traceId: string): HttpResponse => {
  if (!result.ok) return problem(result.failure, traceId);
  const { status, body, version, location, replayed } = result.value;
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(version === undefined ? {} : { etag: `"${version}"` }),
      ...(location === undefined ? {} : { location }),
      ...(replayed === true ? { 'idempotency-replayed': 'true' } : {}),
    },
    body: jsonText(body),
  };
};
