import type { Reply } from '../contract/port.ts';
import type { Result } from '../contract/result.ts';
import { jsonText } from '../runtime/json.ts';
import type { HttpResponse } from './event.ts';
import { problem } from './problem.ts';

/** The answer to a request, from what the backend said. */
export const respond = (result: Result<Reply<unknown>>, traceId: string): HttpResponse => {
  if (!result.ok) return problem(result.failure, traceId);
  const { status, body, version, location, replayed, language } = result.value;
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (version !== undefined) headers['etag'] = `"${version}"`;
  if (location !== undefined) headers['location'] = location;
  if (replayed === true) headers['idempotency-replayed'] = 'true';
  if (language !== undefined) Object.assign(headers, { 'content-language': language, vary: 'Accept-Language' });
  return { statusCode: status, headers, body: jsonText(body) };
};
