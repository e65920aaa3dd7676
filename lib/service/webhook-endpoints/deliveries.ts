import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { cloudEvent } from '../../events/cloud-event.ts';
import type { Endpoint, Sent } from '../../events/endpoint.ts';
import type { Happening } from '../../events/policy-happenings.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { eventsConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { fitting } from '../../store/engine/pack.ts';
import { readEndpoint } from '../../store/events/endpoints.ts';
import { fetchHappenings } from '../../store/events/outbox.ts';
import { readSent, readSentPage, type SentPage, sentSince } from '../../store/events/sent.ts';
import { attemptView, sentHead, sentView } from '../../views/endpoint-view.ts';
import { endpointNotFound, webhookDeliveryNotFound } from './known-endpoint.ts';

const origin = configured(eventsConfig);

/** What is sent, made again from what happened: the same bytes. The time is that of the last attempt. */
const requestView = ({ url }: Endpoint, { eventId, place, attempts }: Sent, happening: Happening) => {
  const last = attempts.at(-1);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      ...(last === undefined ? {} : { 'webhook-timestamp': String(Math.floor(Date.parse(last.at) / 1000)) }),
    },
    body: JSON.stringify(cloudEvent(place, happening, origin())),
  };
};

/** Reads what became of an event for an endpoint. */
export const getWebhookDelivery = async (
  { endpointId, eventId }: Input<'getWebhookDelivery'>,
  call: Call,
): Promise<Result<Reply<Output<'getWebhookDelivery'>>>> =>
  withStore(call, async (session) => {
    const [endpoint, sent] = await Promise.all([
      readEndpoint(session, endpointId),
      readSent(session, endpointId, eventId),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    if (sent === undefined) return fail(webhookDeliveryNotFound);
    const [happening] = await fetchHappenings(session, [sent]);
    return ok({
      status: 200,
      body: {
        ...sentHead(sent),
        attempts: sent.attempts.map(attemptView),
        ...(happening === undefined ? {} : { request: requestView(endpoint, sent, happening) }),
      },
    });
  });

const defaultLimit = 50;
/** How many a page looks at in each shard for those that pass the filters; what it does not find is a short page. */
const looksAt = 100;

type Filter = Pick<Input<'listWebhookDeliveries'>, 'status' | 'type' | 'from'>;

const matches = (sent: Sent, { status, type }: Filter): boolean =>
  (status === undefined || sent.status === status) && (type === undefined || sent.type === type);

/** Those that match, and the position that was looked at last when there may be more behind it. */
const pageOf = ({ items, rest, last }: SentPage, filter: Filter, limit: number) => {
  const found = items.filter((sent) => matches(sent, filter));
  const page = fitting(found.slice(0, limit).map(sentView));
  if (found.length > page.length) return { page, position: page.at(-1)?.eventId };
  return { page, position: rest ? last : undefined };
};

/** Lists what an endpoint was sent, the newest event first. */
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
      ...(filter.from === undefined ? {} : { from: sentSince(filter.from) }),
      ...(before.value === undefined ? {} : { before: before.value }),
    };
    const narrowed = filter.status !== undefined || filter.type !== undefined;
    // One more than asked for tells whether there is a next page.
    const maximum = (narrowed ? Math.max(limit, looksAt) : limit) + 1;
    const [endpoint, sent] = await Promise.all([
      readEndpoint(session, endpointId),
      readSentPage(session, endpointId, bounds, maximum, Date.now()),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    const { page, position } = pageOf(sent, filter, limit);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items: page, nextCursor: next.value } });
  });
};
