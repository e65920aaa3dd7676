import { ifMatchHolds } from '../../../contract/if-match.ts';
import type { Call } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { Endpoint } from '../../../domain/events/endpoint.ts';
import { versionMismatch } from '../../execution/failures.ts';
import { webhookConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { endpointUrlError } from '../../../runtime/public-address.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readEndpoint } from '../../../store/events/endpoints.ts';

const config = configured(webhookConfig);

export const maxEndpoints = 50;

export const endpointNotFound: Failure = {
  code: 'endpoint_not_found',
  detail: 'No webhook endpoint has this id.',
  errors: [{ path: '/endpointId', code: 'unknown', message: 'must be the id of a webhook endpoint' }],
};

export const webhookDeliveryNotFound: Failure = {
  code: 'webhook_delivery_not_found',
  detail: 'The endpoint has no delivery of this event in the last 30 days.',
  errors: [
    { path: '/eventId', code: 'unknown', message: 'must be the eventId of a delivery in listWebhookDeliveries' },
  ],
};

const endpointDisabled: Failure = {
  code: 'endpoint_disabled',
  detail: 'The endpoint is disabled. Enable it first.',
};

export const endpointLimitReached: Failure = {
  code: 'endpoint_limit_reached',
  detail: `The maximum of ${maxEndpoints} webhook endpoints is reached. Delete one that is not needed.`,
};

/** Returns the failure when events may not be sent to a URL; undefined when they may. */
export const urlForbidden = (url: string): Failure | undefined => {
  const message = endpointUrlError(url, config());
  return message === undefined
    ? undefined
    : {
        code: 'endpoint_url_forbidden',
        detail: 'Events cannot be sent to this URL.',
        errors: [{ path: '/url', code: 'url', message }],
      };
};

/** Reads an endpoint and checks its version against If-Match. */
export const readEndpointIfMatch = async (
  session: Session,
  endpointId: string,
  { ifMatch }: Pick<Call, 'ifMatch'>,
): Promise<Result<Endpoint>> => {
  const endpoint = await readEndpoint(session, endpointId);
  if (endpoint === undefined) return fail(endpointNotFound);
  return ifMatchHolds(ifMatch, endpoint.version) ? ok(endpoint) : fail(versionMismatch(endpoint.version, 'endpoint'));
};

/** Reads an endpoint that is enabled. */
export const readEnabledEndpoint = async (session: Session, endpointId: string): Promise<Result<Endpoint>> => {
  const endpoint = await readEndpoint(session, endpointId);
  if (endpoint === undefined) return fail(endpointNotFound);
  return endpoint.disabled === undefined ? ok(endpoint) : fail(endpointDisabled);
};
