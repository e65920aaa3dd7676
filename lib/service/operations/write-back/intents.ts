import type { Input, Output } from '../../../contract/contract.ts';
import { ifMatchHolds } from '../../../contract/if-match.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cancelled, type Intent, isOpen, released, retried, stated } from '../../../domain/write-back/intent.ts';
import { heldNext } from '../../../domain/write-back/queue.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readReturn } from '../../../store/returns/returns.ts';
import {
  type IntentPage,
  readIntent,
  readIntents,
  readIntentsOf,
  writeIntent,
} from '../../../store/write-back/intents.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { causeOfCall } from '../../execution/event-metadata.ts';
import { execute, type Plan, withStore } from '../../execution/execute.ts';
import { returnNotFound, versionMismatch } from '../../execution/failures.ts';
import { intentView } from '../../views/intent-view.ts';
import { writeIntentEvent } from '../../write-back/store-intent.ts';

const intentNotFound: Failure = {
  code: 'intent_not_found',
  detail: 'No intent has this id. Intents are kept for 180 days after their end.',
  errors: [{ path: '/intentId', code: 'unknown', message: 'must be the intentId of an intent in listIntents' }],
};

const notParked = ({ status }: Intent): Failure => ({
  code: 'invalid_transition',
  detail: `The intent is ${status}. Only a parked intent can be resolved or retried.`,
});

const defaultLimit = 50;
/** The number of intents that a page examines for the other filters. With few matches the page is short. */
const examined = 200;

type Filter = Pick<Input<'listIntents'>, 'status' | 'platform' | 'returnId'>;

const matches = (intent: Intent, { status, platform, returnId }: Filter): boolean =>
  (status === undefined || intent.status === status) &&
  (platform === undefined || intent.order.platform === platform) &&
  (returnId === undefined || intent.returnId === returnId);

/** A page, and all intents of the order where they were read. */
type ReadPage = IntentPage & { readonly ofOrder?: readonly Intent[] };

/** Reads the intents of a return, or the next ones of the list. */
const readPage = async (
  session: Session,
  { status, returnId }: Filter,
  before: string | undefined,
  limit: number,
): Promise<Result<ReadPage>> => {
  if (returnId === undefined) {
    const statuses = status !== undefined && isOpen({ status }) ? [status] : undefined;
    return ok(await readIntents(session, statuses, before === undefined ? {} : { before }, limit));
  }
  const state = await readReturn(session, returnId);
  if (state === undefined) return fail(returnNotFound);
  const ofOrder = (await readIntentsOf(session, state.order)).toReversed();
  return ok({ intents: ofOrder.filter(({ id }) => before === undefined || id < before), ofOrder });
};

/** Lists what commands want at shops, the newest first. */
export const listIntents = async (
  { limit = defaultLimit, cursor, ...filter }: Input<'listIntents'>,
  call: Call,
): Promise<Result<Reply<Output<'listIntents'>>>> =>
  withStore(call, async (session) => {
    const scope = cursorScope('listIntents', call, filter);
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const page = await readPage(session, filter, before.value, Math.max(limit, examined));
    if (!page.ok) return page;
    const { intents, rest, ofOrder } = page.value;
    const found = intents.filter((intent) => matches(intent, filter));
    const items = found.slice(0, limit);
    const position = found.length > limit ? items.at(-1)?.id : rest;
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    return ok({
      status: 200,
      body: { items: items.map((intent) => intentView(intent, ofOrder)), nextCursor: next.value },
    });
  });

/** Reads what a command wants at a shop. */
export const getIntent = async (
  { intentId }: Input<'getIntent'>,
  call: Call,
): Promise<Result<Reply<Output<'getIntent'>>>> =>
  withStore(call, async (session) => {
    const intent = await readIntent(session, intentId);
    if (intent === undefined) return fail(intentNotFound);
    const ofOrder = await readIntentsOf(session, intent.order);
    return ok({ status: 200, body: intentView(intent, ofOrder), version: intent.version });
  });

/** Plans a change of a parked intent. */
const planChange = async (
  session: Session,
  intentId: string,
  call: Call,
  next: (intent: Intent, at: string) => Result<Intent>,
): Promise<Result<Plan<Output<'getIntent'>>>> => {
  const intent = await readIntent(session, intentId);
  if (intent === undefined) return fail(intentNotFound);
  if (!ifMatchHolds(call.ifMatch, intent.version)) return fail(versionMismatch(intent.version, 'intent'));
  if (intent.status !== 'parked') return fail(notParked(intent));
  const at = new Date().toISOString();
  const changed = next(intent, at);
  if (!changed.ok) return changed;
  const held = isOpen(changed.value) ? undefined : heldNext(await readIntentsOf(session, intent.order), intent);
  return ok({
    reply: { status: 200, body: intentView(changed.value), version: changed.value.version },
    writes: [
      writeIntent(changed.value),
      ...(held === undefined ? [] : [writeIntent(released(held, at))]),
      ...writeIntentEvent(changed.value, causeOfCall(call)),
    ],
  });
};

const externalIdRequired: Failure = {
  code: 'invalid_request',
  detail: 'A refund at the shop needs its id there.',
  errors: [{ path: '/externalId', code: 'required', message: 'is required for a refund that the shop has paid' }],
};

/** Records what staff has seen at the shop. The worker reports it to the return. */
export const resolveIntent = async (
  input: Input<'resolveIntent'>,
  call: Call,
): Promise<Result<Reply<Output<'resolveIntent'>>>> =>
  execute('resolveIntent', input, call, async (session) =>
    planChange(session, input.intentId, call, (intent, at) => {
      const { outcome, externalId } = input;
      if (outcome === 'not_done') return ok(cancelled(intent, at, 'resolved_as_not_done'));
      if (intent.action === 'refund' && externalId === undefined) return fail(externalIdRequired);
      return ok(stated(intent, at, externalId));
    }),
  );

/** Asks the shop of a parked intent again. */
export const retryIntent = async (
  input: Input<'retryIntent'>,
  call: Call,
): Promise<Result<Reply<Output<'retryIntent'>>>> =>
  execute('retryIntent', input, call, async (session) =>
    planChange(session, input.intentId, call, (intent, at) => ok(retried(intent, at))),
  );
