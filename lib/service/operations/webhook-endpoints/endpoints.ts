import { randomBytes } from 'node:crypto';
import type { Input, Output } from '../../../contract/contract.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cloudEvent } from '../../../domain/events/cloud-event.ts';
import { type Endpoint, patchEndpoint } from '../../../domain/events/endpoint.ts';
import { rotateSecrets, secretTerms } from '../../../domain/events/retry.ts';
import { causeOfCall } from '../../execution/event-metadata.ts';
import { execute, withStore } from '../../execution/execute.ts';
import { sendEvent } from '../../outbox/send.ts';
import { eventsConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import { endpointStream } from '../../../store/engine/keys.ts';
import {
  readEndpoint,
  readEndpoints,
  readEndpointSecrets,
  readCreatedEndpoints,
  removeEndpoint,
  writeEndpoint,
  writeEndpointSecrets,
  writeCreatedEndpoints,
} from '../../../store/events/endpoints.ts';
import { readEndOffsets } from '../../../store/events/event-partitions.ts';
import { attemptView, endpointView, withSecret, repeatWithSecret } from '../../views/endpoint-view.ts';
import {
  endpointNotFound,
  endpointLimitReached,
  maxEndpoints,
  readEndpointIfMatch,
  urlForbidden,
} from './known-endpoint.ts';

const origin = configured(eventsConfig);

/** The same timeout as a delivery. */
const testTimeoutMs = 15_000;
/** The part of the deadline that is reserved to send the response. */
const marginMs = 1_000;

/** Sends a test event to one endpoint only, and returns the result of the attempt. */
export const testWebhookEndpoint = async (
  { endpointId }: Input<'testWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'testWebhookEndpoint'>>>> =>
  withStore(call, async (session) => {
    const [endpoint, secrets] = await Promise.all([
      readEndpoint(session, endpointId),
      readEndpointSecrets(session, endpointId),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    // The test event has no position in the event stream of the endpoint.
    const at = new Date().toISOString();
    const domainEvent = { ...causeOfCall(call), at, sequence: 0, type: 'webhook_endpoint.test', data: {} };
    const event = cloudEvent(endpointStream(endpointId), domainEvent, origin());
    const timeoutMs = Math.min(testTimeoutMs, call.deadline - Date.now() - marginMs);
    const message = { id: event.id, body: JSON.stringify(event) };
    const attempt = await sendEvent(endpoint, secrets, message, timeoutMs, session.signal);
    return ok({ status: 200, body: { delivered: attempt.ok, attempt: attemptView(attempt) } });
  });

const defaultHours = 24;
const millisecondsOfHour = 3_600_000;

/**
 * Rotates the secret of an endpoint. The endpoint's version guards the secrets, so concurrent rotations are ordered.
 */
export const rotateWebhookSecret = async (
  input: Input<'rotateWebhookSecret'>,
  call: Call,
): Promise<Result<Reply<Output<'rotateWebhookSecret'>>>> => {
  const { endpointId, overlapHours = defaultHours } = input;
  return execute<Output<'rotateWebhookSecret'>>(
    'rotateWebhookSecret',
    input,
    call,
    async (session) => {
      const found = await readEndpointIfMatch(session, endpointId, call);
      if (!found.ok) return found;
      const before = await readEndpointSecrets(session, endpointId);
      const now = Date.now();
      const secrets = rotateSecrets(before, randomBytes(32), now, overlapHours * millisecondsOfHour);
      const endpoint = {
        ...found.value,
        secrets: secretTerms(secrets),
        updatedAt: new Date(now).toISOString(),
        version: found.value.version + 1,
      };
      const shown = { status: 200 as const, body: endpointView(endpoint, now), version: endpoint.version };
      return ok({
        reply: call.dryRun ? shown : withSecret(shown, secrets[0]),
        stored: shown,
        writes: [writeEndpoint(endpoint), writeEndpointSecrets(endpointId, secrets)],
      });
    },
    repeatWithSecret,
  );
};

/** Deletes an endpoint with its secrets, and returns its last state. Its deliveries expire by age. */
export const deleteWebhookEndpoint = async (
  input: Input<'deleteWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'deleteWebhookEndpoint'>>>> =>
  execute('deleteWebhookEndpoint', input, call, async (session) => {
    const found = await readEndpointIfMatch(session, input.endpointId, call);
    if (!found.ok) return found;
    const endpoint = found.value;
    return ok({
      reply: { status: 200, body: endpointView(endpoint, Date.now()), version: endpoint.version },
      writes: removeEndpoint(endpoint),
    });
  });

/**
 * Changes an endpoint. The schedule notifies an endpoint that is enabled again, which then continues where it stopped.
 */
export const updateWebhookEndpoint = async (
  input: Input<'updateWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'updateWebhookEndpoint'>>>> => {
  const { endpointId, ...patch } = input;
  const forbidden = patch.url === undefined ? undefined : urlForbidden(patch.url);
  if (forbidden !== undefined) return fail(forbidden);
  return execute('updateWebhookEndpoint', input, call, async (session) => {
    const found = await readEndpointIfMatch(session, endpointId, call);
    if (!found.ok) return found;
    const endpoint = found.value;
    const now = Date.now();
    const next = patchEndpoint(endpoint, patch, new Date(now).toISOString());
    return ok({
      reply: { status: 200, body: endpointView(next, now), version: next.version },
      writes: next === endpoint ? [] : [writeEndpoint(next)],
    });
  });
};

/** Lists all endpoints by id. */
export const listWebhookEndpoints = async (
  _: Input<'listWebhookEndpoints'>,
  call: Call,
): Promise<Result<Reply<Output<'listWebhookEndpoints'>>>> =>
  withStore(call, async (session) => {
    const endpoints = await readEndpoints(session);
    const now = Date.now();
    return ok({
      status: 200,
      body: { items: endpoints.map((endpoint) => endpointView(endpoint, now)), nextCursor: null },
    });
  });

/** Reads an endpoint, without its secrets. */
export const getWebhookEndpoint = async (
  { endpointId }: Input<'getWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'getWebhookEndpoint'>>>> =>
  withStore(call, async (session) => {
    const endpoint = await readEndpoint(session, endpointId);
    if (endpoint === undefined) return fail(endpointNotFound);
    return ok({ status: 200, body: endpointView(endpoint, Date.now()), version: endpoint.version });
  });

/** Creates an endpoint with its first secret. It does not get events from before its creation. */
export const createWebhookEndpoint = async (
  input: Input<'createWebhookEndpoint'>,
  call: Call,
): Promise<Result<Reply<Output<'createWebhookEndpoint'>>>> => {
  const { url, eventTypes = ['*'], description } = input;
  const forbidden = urlForbidden(url);
  if (forbidden !== undefined) return fail(forbidden);
  return execute<Output<'createWebhookEndpoint'>>(
    'createWebhookEndpoint',
    input,
    call,
    async (session) => {
      // Read before the endpoints: a concurrent creation makes the condition fail.
      const created = await readCreatedEndpoints(session);
      const [endpoints, begins] = await Promise.all([
        readEndpoints(session),
        readEndOffsets(session, { consistent: true }),
      ]);
      if (endpoints.length >= maxEndpoints) return fail(endpointLimitReached);
      const now = Date.now();
      const at = new Date(now).toISOString();
      const secrets = rotateSecrets([], randomBytes(32), now, 0);
      const endpoint: Endpoint = {
        id: `whk_${newUlid(now)}`,
        url,
        eventTypes,
        ...(description === undefined ? {} : { description }),
        secrets: secretTerms(secrets),
        createdAt: at,
        updatedAt: at,
        version: 1,
        begins,
      };
      const shown = {
        status: 201 as const,
        body: endpointView(endpoint, now),
        version: endpoint.version,
        location: `${basePath}/webhook-endpoints/${endpoint.id}`,
      };
      return ok({
        reply: call.dryRun ? shown : withSecret(shown, secrets[0]),
        stored: shown,
        writes: [writeEndpoint(endpoint), writeEndpointSecrets(endpoint.id, secrets), writeCreatedEndpoints(created)],
      });
    },
    repeatWithSecret,
  );
};
