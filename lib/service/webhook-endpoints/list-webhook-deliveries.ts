import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Sent } from '../../events/endpoint.ts';
import { readEndpoint } from '../../store/events/endpoints.ts';
import { fitting } from '../../store/engine/pack.ts';
import { readSentPage, sentSince, type SentPage } from '../../store/events/sent.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { endpointNotFound } from './endpoint-failures.ts';
import { sentView } from '../../views/endpoint-view.ts';
import { withStore } from '../../execution/execute.ts';

const usualLimit = 50;
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
  const { endpointId, limit = usualLimit, cursor, ...filter } = input;
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
    const most = (narrowed ? Math.max(limit, looksAt) : limit) + 1;
    const [endpoint, sent] = await Promise.all([
      readEndpoint(session, endpointId),
      readSentPage(session, endpointId, bounds, most, Date.now()),
    ]);
    if (endpoint === undefined) return fail(endpointNotFound);
    const { page, position } = pageOf(sent, filter, limit);
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items: page, nextCursor: next.value } });
  });
};
