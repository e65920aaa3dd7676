import type { Context } from 'aws-lambda';
import type { Input, Output } from '../../contract/contract.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { sha256 } from '../../runtime/hash.ts';
import { monotonicNow } from '../../runtime/instant.ts';
import { fail, ok } from '../../runtime/result.ts';
import { type HttpEvent, type HttpResponse, networkOf, publicHeaders, traceIdOf } from './event.ts';
import { problemResponse, unexpectedFailure } from './problem.ts';
import { logRequest, logUnexpectedError } from './request-log.ts';

/* The policy of the shop at a public address, for pages of the shop, search engines and shopping agents. */

const name = 'publishedPolicy';

/** The answer must leave before the function ends. */
const reserveMs = 500;

/** A new policy is seen within five minutes. */
const maxAgeSeconds = 300;

type PolicyText = Output<'getPolicyText'>;
type GetPolicyText = (input: Input<'getPolicyText'>, call: Call) => Promise<Result<Reply<PolicyText>>>;

/** Returns the text without what only the shop may know: what is not said, and why. */
const publicPart = ({ country, channel, date, statements, formats }: PolicyText) => ({
  country,
  ...(channel !== undefined && { channel }),
  date,
  statements,
  formats: Object.fromEntries(
    Object.entries(formats).map(([format, { document, exceptions }]) => [format, { document, exceptions }]),
  ),
});

/** The last date that has begun anywhere on earth. The shop has not announced the rules of later ones. */
const latestDate = (now: number): string => new Date(now + 14 * 3_600_000).toISOString().slice(0, 10);

const laterDate: Failure = {
  code: 'invalid_request',
  detail: 'The rules of later days are not public yet.',
  errors: [{ path: '/date', code: 'maximum', message: 'must be a date such as 2026-11-30, and at most today' }],
};

const read = async (
  getPolicyText: GetPolicyText,
  event: HttpEvent,
  deadline: number,
  traceId: string,
): Promise<Result<HttpResponse>> => {
  // The operation checks all fields, so whatever a caller sends is its input.
  const input = { language: 'en', ...event.queryStringParameters } as Input<'getPolicyText'>;
  if (input.date !== undefined && input.date > latestDate(Date.now())) return fail(laterDate);
  const answer = await getPolicyText(input, {
    caller: { clientId: 'page:return-policy', scopes: ['returns:read'] },
    dryRun: false,
    traceId,
    causationId: event.requestContext.requestId,
    deadline,
  });
  if (!answer.ok) return answer;
  const body = JSON.stringify(publicPart(answer.value.body));
  const etag = `"${sha256(body, 'base64url')}"`;
  const headers = { ...publicHeaders(maxAgeSeconds), etag };
  return event.headers['if-none-match']?.includes(etag) === true
    ? ok({ statusCode: 304, headers })
    : ok({ statusCode: 200, headers: { ...headers, 'content-type': 'application/json' }, body });
};

/**
 * Serves the policy of a country, without a token, on the `web` API. The query has the fields of getPolicyText. Without a
 * language, the text is English. Failures are those of the operation, and are not cached.
 */
export const servePublishedPolicy =
  (getPolicyText: GetPolicyText) =>
  async (event: HttpEvent, context: Context): Promise<HttpResponse> => {
    const startedAt = monotonicNow();
    const traceId = traceIdOf(event.headers['traceparent']);
    const { domainName } = event.requestContext;
    const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const respond = async (): Promise<readonly [HttpResponse, ErrorCode?]> => {
      try {
        const result = await read(getPolicyText, event, deadline, traceId);
        if (result.ok) return [result.value];
        return [problemResponse(result.failure, traceId, { domainName }), result.failure.code];
      } catch (error) {
        logUnexpectedError({ name }, traceId, error);
        return [problemResponse(unexpectedFailure, traceId, { domainName }), unexpectedFailure.code];
      }
    };
    const [response, code] = await respond();
    logRequest(
      { name },
      { clientId: undefined, network: networkOf(event), status: response.statusCode ?? 0, code, traceId, startedAt },
    );
    return response;
  };
