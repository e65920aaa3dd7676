import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readSentPage, sentSince } from '../../store/events/sent.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { executeInSteps } from '../../execution/execute.ts';
import { readEnabled } from './known-endpoint.ts';
import { sendAgain } from './send-again.ts';

const usualLimit = 100;

/** Has the events of a range sent to an endpoint once more, a page of them, the newest first. */
export const redeliverWebhooks = async (
  input: Input<'redeliverWebhooks'>,
  call: Call,
): Promise<Result<Reply<Output<'redeliverWebhooks'>>>> => {
  const { endpointId, limit = usualLimit, cursor, ...range } = input;
  const { from, until, status = 'failed' } = range;
  return executeInSteps('redeliverWebhooks', input, call, async (session) => {
    const scope = cursorScope('redeliverWebhooks', call, { endpointId, ...range });
    const before = cursor === undefined ? ok(sentSince(until)) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const endpoint = await readEnabled(session, endpointId);
    if (!endpoint.ok) return endpoint;
    const bounds = { from: sentSince(from), before: before.value };
    const { items, rest, last } = await readSentPage(session, endpointId, bounds, limit, Date.now());
    const looked = items.slice(0, limit);
    const found = looked.filter((sent) => status === 'any' || sent.status === status);
    const ids = found.map(({ eventId }) => eventId);
    const queued = call.dryRun ? ok(null) : await sendAgain(session, endpointId, ids, call);
    if (!queued.ok) return queued;
    const position = looked.length < items.length ? looked.at(-1)?.eventId : rest ? last : undefined;
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    const body = { redelivered: found.length, looked: looked.length, nextCursor: next.value };
    return ok({ status: 200 as const, body });
  });
};
