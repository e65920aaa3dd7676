import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cloudEvent } from '../../../domain/events/cloud-event.ts';
import type { Endpoint, WebhookDelivery } from '../../../domain/events/endpoint.ts';
import type { DomainEvent } from '../../../domain/events/domain-events.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { eventsConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import { readEndpoint } from '../../../store/events/endpoints.ts';
import { fetchDomainEvents } from '../../../store/events/outbox.ts';
import {
  readWebhookDelivery,
  readWebhookDeliveries,
  type WebhookDeliveryPage,
  minEventIdAt,
} from '../../../store/events/webhook-deliveries.ts';
import { attemptView, webhookDeliveryHead, webhookDeliveryView } from '../../views/endpoint-view.ts';
import { endpointNotFound, webhookDeliveryNotFound } from './known-endpoint.ts';

const origin = configured(eventsConfig);

/** Rebuilds the request of a delivery from its event, with the same bytes. The time is that of the last attempt. */
const requestView = (
  { url }: Endpoint,
  { eventId, place: stream, attempts }: WebhookDelivery,
  domainEvent: DomainEvent,
) => {
  const last = attempts.at(-1);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      ...(last === undefined ? {} : { 'webhook-timestamp': String(Math.floor(Date.parse(last.at) / 1000)) }),
    },
    body: JSON.stringify(cloudEvent(stream, domainEvent, origin())),
  };
};

/** Reads the delivery of an event to an endpoint. */
export const getWebhookDelivery = async (
  { endpointId, eventId }: Input<'getWebhookDelivery'>,
  call: Call,
): Promise<Result<Reply<Output<'getWebhookDelivery'>>>> =>
  withStore(call, async (session) => {
    const [endpoint, sent] = await Promise.all([
      readEndpoint(session, endpointId),
      readWebhookDelivery(session, endpointId, eventId),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    if (sent === undefined) return fail(webhookDeliveryNotFound);
    const [domainEvent] = await fetchDomainEvents(session, [{ stream: sent.place, sequence: sent.sequence }]);
    return ok({
      status: 200,
      body: {
        ...webhookDeliveryHead(sent),
        attempts: sent.attempts.map(attemptView),
        ...(domainEvent === undefined ? {} : { request: requestView(endpoint, sent, domainEvent) }),
      },
    });
  });

const defaultLimit = 50;
/** The number of deliveries that a page reads in each partition for its filters. A page may therefore be short. */
const maxExamined = 100;

type Filter = Pick<Input<'listWebhookDeliveries'>, 'status' | 'type' | 'from'>;

const matches = (sent: WebhookDelivery, { status, type }: Filter): boolean =>
  (status === undefined || sent.status === status) && (type === undefined || sent.type === type);

/** Returns matching deliveries, and the last read position when more may follow. */
const pageOf = ({ items, rest, last }: WebhookDeliveryPage, filter: Filter, limit: number) => {
  const found = items.filter((sent) => matches(sent, filter));
  const page = takeFitting(found.slice(0, limit).map(webhookDeliveryView));
  if (found.length > page.length) return { page, position: page.at(-1)?.eventId };
  return { page, position: rest ? last : undefined };
};

/** Lists the deliveries of an endpoint, the newest event first. */
export const listWebhookDeliveries = async (
  input: Input<'listWebhookDeliveries'>,
  call: Call,
): Promise<Result<Reply<Output<'listWebhookDeliveries'>>>> => {
  const { endpointId, limit = defaultLimit, cursor, ...filter } = input;
  return withStore(call, async (session) => {
    const scope = cursorScope('listWebhookDeliveries', call, { endpointId, ...filter });
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const bounds = {
      ...(filter.from === undefined ? {} : { from: minEventIdAt(filter.from) }),
      ...(before.value === undefined ? {} : { before: before.value }),
    };
    const narrowed = filter.status !== undefined || filter.type !== undefined;
    // One more than the limit shows whether there is a next page.
    const maximum = (narrowed ? Math.max(limit, maxExamined) : limit) + 1;
    const [endpoint, sent] = await Promise.all([
      readEndpoint(session, endpointId),
      readWebhookDeliveries(session, endpointId, bounds, maximum, Date.now()),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    const { page, position } = pageOf(sent, filter, limit);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items: page, nextCursor: next.value } });
  });
};
