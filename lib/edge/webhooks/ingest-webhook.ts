import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { platformsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { type HttpResponse, networkOf } from '../http/event.ts';
import { problemResponse } from '../http/problem.ts';
import { invocationTraceId } from '../../runtime/invocation.ts';
import { errorName, log } from '../../runtime/log.ts';
import type { WebhookRequest, Receiver, VerificationResult } from '../../shops/platforms/platform.ts';
import { SecretUnavailable } from '../../access/secrets/secret.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { isFromFront } from '../../shops/platforms/front.ts';
import { keyMemoryOf } from '../../shops/inbox/key-memory.ts';
import { storeAndEnqueue } from '../../shops/inbox/store-and-enqueue.ts';

/**
 * The maximum size of the event of a synchronous invocation.
 * A body from API Gateway is smaller, because its event holds the body as text in JSON or base64. The limit rejects
 * larger bodies from other invokers.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxBytes = 6 * 1024 * 1024;
/** Shopify has the shortest timeout of the platforms: five seconds. */
const timeoutMs = 4_000;

/** Status 200 without a body: some platforms reject other responses. */
const accepted: HttpResponse = { statusCode: 200, body: '' };

/** Rejects a request. The sender is unknown, so the detail holds only what the platform needs. */
const rejectRequest = (
  code: ErrorCode,
  detail: string,
  traceId: string,
  { requestContext: { domainName } }: APIGatewayProxyEventV2,
): HttpResponse => problemResponse({ code, detail }, traceId, { domainName });

const handshakeResponse = (verification: Extract<VerificationResult, { kind: 'handshake' }>): HttpResponse =>
  verification.answer === undefined
    ? accepted
    : { statusCode: 200, headers: { 'content-type': verification.answer.contentType }, body: verification.answer.body };

const ingestRequest = async (
  session: Session,
  platform: Receiver,
  event: APIGatewayProxyEventV2,
  traceId: string,
): Promise<HttpResponse> => {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > maxBytes)
    return rejectRequest('payload_too_large', 'The body is larger than 6 MiB.', traceId, event);
  // A source has one name in the inbox, whatever the case of its path.
  const source = event.pathParameters?.['source']?.toLowerCase();
  const request: WebhookRequest = {
    method: event.requestContext.http.method === 'GET' ? 'GET' : 'POST',
    ...(source !== undefined && { source }),
    query: event.queryStringParameters ?? {},
    headers: event.headers,
    body,
  };
  const memory = keyMemoryOf(session, platform, traceId);
  const verification = await platform.authenticate(request, session.signal, memory);
  switch (verification.kind) {
    case 'authentic':
      await Promise.all([
        storeAndEnqueue(session, platform, verification.delivery, { body, headers: event.headers, traceId }),
        memory.remember(verification.keyUrl),
      ]);
      return accepted;
    case 'handshake':
      log('info', 'handshake answered', { traceId, platform: platform.name });
      return handshakeResponse(verification);
    case 'malformed':
      return rejectRequest(
        'invalid_request',
        `The header ${verification.header} is missing or malformed.`,
        traceId,
        event,
      );
    case 'rejected':
      log('warn', 'delivery rejected', {
        traceId,
        network: networkOf(event),
        platform: platform.name,
        reason: verification.reason,
      });
      return rejectRequest('invalid_signature', 'The delivery is not signed by a known source.', traceId, event);
    case 'unverifiable':
      log('error', 'delivery not verified', { traceId, platform: platform.name, reason: verification.reason });
      return rejectRequest('internal_error', 'The delivery cannot be verified now. Send it again.', traceId, event);
  }
};

const config = configured(platformsConfig);

/** The receiver of a platform, if it is enabled in this deployment. */
const platformOf = (receivers: Readonly<Record<string, Receiver>>, name: string): Receiver | undefined =>
  config().enabled.includes(name) && Object.hasOwn(receivers, name) ? receivers[name] : undefined;

/** Returns the platform of a route. Each known platform has its own route and rate; other names are in the path. */
const platformNameOf = ({ pathParameters, routeKey }: APIGatewayProxyEventV2): string | undefined =>
  pathParameters?.['platform'] ?? /\/webhooks\/([a-z]+)/.exec(routeKey)?.[1];

/**
 * Receives platforms' webhooks from API Gateway.
 * The paths are `/webhooks/{platform}` and `/webhooks/{platform}/{source}`. It verifies the exact bytes, stores them,
 * enqueues the delivery and answers 200 without a body. On a failure of ours it answers 503 within the timeout of the
 * platform, so that the platform sends again.
 */
export const ingestWebhook = (receivers: Readonly<Record<string, Receiver>>) =>
  async function receiveDelivery(event: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const traceId = invocationTraceId();
    const name = platformNameOf(event) ?? '';
    const platform = platformOf(receivers, name);
    const network = networkOf(event);
    if (platform === undefined) {
      // Another name is text of the caller.
      const known = Object.hasOwn(receivers, name) ? name : undefined;
      log('warn', 'delivery rejected', { traceId, network, platform: known, reason: 'platform_not_enabled' });
      return rejectRequest('invalid_signature', 'The delivery is not signed by a known source.', traceId, event);
    }
    using session = openSession(Date.now() + timeoutMs);
    try {
      if (!(await isFromFront(event.headers, session.signal))) {
        log('warn', 'delivery rejected', { traceId, network, platform: platform.name, reason: 'not_by_front' });
        return rejectRequest('invalid_signature', 'The delivery is not signed by a known source.', traceId, event);
      }
      return await ingestRequest(session, platform, event, traceId);
    } catch (error) {
      const reason = error instanceof SecretUnavailable ? error.reason : undefined;
      log('error', 'delivery not ingested', { traceId, platform: platform.name, error: errorName(error), reason });
      return rejectRequest(
        'dependency_unavailable',
        'The delivery could not be stored. Send it again.',
        traceId,
        event,
      );
    }
  };
