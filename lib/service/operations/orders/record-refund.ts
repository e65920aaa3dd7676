import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { execute, fingerprint } from '../../execution/execute.ts';
import { latestObservationAt } from '../../execution/observation.ts';
import { orderNotFound, returnNotFound } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { recordRefund as decide } from '../../../domain/returns/commands/money/record-refund.ts';
import type { Event } from '../../../domain/returns/history/entry.ts';
import { appendEntries } from '../../../domain/returns/history/history.ts';
import { writeChangedReturn } from '../../execution/write-changed-return.ts';
import type { Refund } from '../../../domain/returns/model/refund.ts';
import type { Instant, OrderRef } from '../../../domain/returns/model/order.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import type { Ledger } from '../../../domain/returns/money/order-ledger.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { readOrder, readRefund, type StoredRefund, writeLedger, writeRefund } from '../../../store/orders/orders.ts';
import { readReturnIds } from '../../../store/returns/order-returns.ts';
import { readReturn, readReturns } from '../../../store/returns/returns.ts';
import { planPaidWithdrawals } from '../withdrawals/pay-withdrawals.ts';
import { refundView } from '../../views/policy-views.ts';

type RecordRefundPlan = Result<{ reply: Reply<Output<'recordRefund'>>; writes: [] }>;

const bodyOf = (refund: Refund) => structuredClone(refundView(refund)) as Output<'recordRefund'>;

/** Plans the reply to a repeated refund. The same facts return its present state, other facts fail. */
const answerRepeat = ({ refund, fingerprint: recorded }: StoredRefund, current: string): RecordRefundPlan =>
  recorded === current
    ? ok({ reply: { status: 200, body: bodyOf(refund) }, writes: [] })
    : fail({
        code: 'idempotency_key_reused',
        detail: 'This refund is already recorded with other facts.',
        errors: [
          { path: '/externalId', code: 'duplicate', message: 'must be new, or belong to a refund with the same facts' },
        ],
      });

const writeReturnEvents = async (
  session: Session,
  call: Call,
  state: Return,
  [first, ...others]: readonly Event[],
  at: Instant,
): Promise<readonly Write[]> => {
  if (first === undefined) return [];
  const next = appendEntries(state, [first, ...others], { ...eventMetadata(call, state, null), at });
  return writeChangedReturn(next, state, await currentKey(session), call);
};

const returnsNotListed = {
  code: 'dependency_unavailable',
  detail: 'Not all returns of the order can be found yet. Send the refund again.',
  retryAfterSeconds: 1,
} as const;

/**
 * Returns the returns whose refunds an external refund may have paid: the named one, or all of the order. An order
 * without payments of this service has none. Undefined when the index of returns lags for too long.
 */
const returnsToCompare = async (
  session: Session,
  order: OrderRef,
  named: Return | undefined,
  ledger: Ledger,
): Promise<readonly Return[] | undefined> => {
  if (named !== undefined) return [named];
  if ((ledger.given.own ?? 0) === 0) return [];
  const ids = await readReturnIds(session, order, ledger.returns);
  return ids && [...(await readReturns(session, ids)).values()];
};

/** Records a refund that was paid outside, in the order's ledger and in the history of its return. */
export const recordRefund = async (
  input: Input<'recordRefund'>,
  call: Call,
): Promise<Result<Reply<Output<'recordRefund'>>>> =>
  execute('recordRefund', input, call, async (session) => {
    const { platform, orderId, externalId, returnId, occurredAt, method = 'original_payment', ...rest } = input;
    const facts = { ...rest, method, occurredAt: new Date(occurredAt).toISOString() };
    const ref = { platform, orderId };
    const [known, record, state] = await Promise.all([
      readRefund(session, ref, externalId),
      readOrder(session, ref),
      returnId === undefined ? undefined : readReturn(session, returnId),
    ]);
    const current = fingerprint('recordRefund', { ...input, method, occurredAt: facts.occurredAt });
    if (known !== undefined) return answerRepeat(known, current);
    if (record === undefined) return fail(orderNotFound('/orderId'));
    if (returnId !== undefined && state === undefined) return fail(returnNotFound);
    const { order, ledger, ledgerVersion } = record;
    const now = new Date();
    const ids = {
      id: `rfd_${newUlid()}`,
      externalId,
      now: now.toISOString(),
      latest: latestObservationAt(now),
    };
    const returns = await returnsToCompare(session, ref, state, ledger);
    if (returns === undefined) return fail(returnsNotListed);
    const decision = decide(order, ledger, state, facts, ids, returns);
    if (!decision.ok) return fail(decision.failure);
    const { refund, state: changed, events } = decision.value;
    const account = { order, ledger: decision.value.ledger };
    return ok({
      reply: { status: 201, body: bodyOf(refund) },
      writes: [
        writeRefund({ refund, fingerprint: current }),
        writeLedger(order, account.ledger, ledgerVersion),
        ...(changed === undefined ? [] : await writeReturnEvents(session, call, changed, events, ids.now)),
        ...(await planPaidWithdrawals(session, call, account, facts.occurredAt)),
      ],
    });
  });
