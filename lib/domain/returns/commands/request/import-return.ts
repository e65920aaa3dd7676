import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { Event, ImportedStep } from '../../history/entry.ts';
import { applyEvent } from '../../history/fold.ts';
import { initialHash } from '../../history/history.ts';
import type { TextReference } from '../../model/actor.ts';
import type { Instant, Order } from '../../model/order.ts';
import type { Return } from '../../model/return.ts';
import type { Terms } from '../../model/terms.ts';
import type { Ledger } from '../../money/order-ledger.ts';
import { owed, recoveryDue } from '../../money/recovery.ts';
import { completionEvents } from '../../rules/guards/completion-guards.ts';
import type { Situation } from '../../situation.ts';
import { expireLines } from '../endings.ts';
import { recordRefund } from '../money/record-refund.ts';
import type { RecordRefund } from '../money/record-refund-result.ts';
import type { NewRefund, RecordedRefund } from '../money/recorded-refund.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { createReturn, type NewReturnIds } from './create-return.ts';
import { decideLines } from './decide-request.ts';
import { type ImportReturn, importErrors, underPath } from './import-errors.ts';

/*
 * A return of another system becomes one event. Its steps are the events that the same commands would have made here,
 * with the times there. So the fold, the money and the ledger have no rule for imported returns.
 */

/** The ids of an imported return, and the text for money that its system left unpaid. */
export type ImportIds = NewReturnIds & { readonly refund: NewRefund; readonly waiver: TextReference };

/** The steps of a return, the ledger of its order with it, and its refund. */
export type Imported = {
  readonly steps: readonly ImportedStep[];
  readonly ledger: Ledger;
  readonly refund?: RecordedRefund;
};

type Progress = Pick<Imported, 'steps' | 'ledger'> & { readonly state: Return };

/** Returns the units that came back of each line: all that the customer does not keep, unless the line states it. */
const receivedUnits = ({ units }: ImportReturn, { lines }: Pick<Return, 'lines'>): number[] =>
  lines.map(({ quantities }, index) => {
    const { received, kept = 0 } = units[index] ?? {};
    return received ?? quantities.requested - kept;
  });

const approval = ({ units }: ImportReturn, { lines }: Return): Event => ({
  type: 'return.approved',
  data: {
    lines: lines.map(({ id, quantities }, index) => {
      const { kept = 0 } = units[index] ?? {};
      return { lineId: id, approved: quantities.requested, rejected: 0, ...(kept > 0 && { returnless: kept }) };
    }),
  },
});

/** Returns what arrived. Units that never came are missing, so that they can be returned again. */
const receipt = (command: ImportReturn, { lines, terms }: Return): Event[] => {
  const units = receivedUnits(command, { lines });
  const isAccepted = command.status === 'completed' || terms.inspection === 'skipped';
  const came = lines.flatMap(({ id }, index) => {
    const quantity = units[index] ?? 0;
    return quantity === 0 ? [] : [{ lineId: id, quantity, late: 0, accepted: isAccepted ? quantity : 0 }];
  });
  const missing = lines.flatMap(({ id, quantities }, index) => {
    const quantity = quantities.requested - (command.units[index]?.kept ?? 0) - (units[index] ?? 0);
    return quantity === 0 ? [] : [{ lineId: id, quantity, cause: 'never_sent' as const }];
  });
  return [
    ...(came.length === 0 ? [] : [{ type: 'items.received' as const, data: { lines: came } }]),
    ...(missing.length === 0 ? [] : [{ type: 'items.missing' as const, data: { lines: missing } }]),
  ];
};

const cancellation = ({ lines }: Return): Event => ({
  type: 'return.cancelled',
  data: {
    cancellation: {},
    lines: lines.map(({ id, quantities }) => ({ lineId: id, quantity: quantities.requested })),
  },
});

/** Adds events to the steps. The events of the domain are steps: only an import makes an import. */
const advance = (
  { steps, state }: { readonly steps: Progress['steps']; readonly state: Return | undefined },
  { events, ledger }: Outcome,
  at: Instant,
): Progress => {
  const more = events.map((event) => ({ ...(event as ImportedStep), at }));
  const [first, ...others] = more;
  if (first === undefined) throw new Error('a decision without events');
  const applied = others.reduce(applyEvent, applyEvent(state, first));
  return { steps: [...steps, ...more], state: { ...applied, version: 1, head: initialHash }, ledger };
};

const decisionAt = (at: Instant, decide: (state: Return) => readonly Event[]) => ({ at, decide });

/** The decisions of the other system, in their order, with the times that it states. */
const decisionsOf = (command: ImportReturn) => {
  const { status, requestedAt, decidedAt = requestedAt, receivedAt = decidedAt } = command;
  const { endedAt = receivedAt } = command;
  const approved = decisionAt(decidedAt, (state) => [approval(command, state)]);
  if (status === 'requested') return [];
  if (status === 'cancelled') return [decisionAt(endedAt, (state) => [cancellation(state)])];
  if (status === 'rejected')
    return [
      decisionAt(decidedAt, (state) => [
        {
          type: 'return.rejected',
          data: { rejection: { code: 'rejected_by_platform' }, lines: decideLines(state, new Map()) },
        },
      ]),
    ];
  if (status === 'approved') return [approved];
  if (status === 'expired')
    return [
      approved,
      decisionAt(endedAt, (state) => [{ type: 'return.expired', data: { lines: expireLines(state) } }]),
    ];
  return [approved, decisionAt(receivedAt, (state) => receipt(command, state))];
};

/** Returns the units that a refund paid for, by order line: those that came back or are kept, or all in advance. */
const paidUnits = ({ status }: ImportReturn, { lines }: Return): Pick<RecordRefund, 'lines'> => {
  const units = new Map<string, number>();
  for (const { orderLineId, quantities } of lines) {
    const paid = status === 'approved' ? quantities.approved : quantities.received + quantities.returnless;
    if (paid > 0) units.set(orderLineId, (units.get(orderLineId) ?? 0) + paid);
  }
  return units.size === 0 ? {} : { lines: Array.from(units, ([orderLineId, quantity]) => ({ orderLineId, quantity })) };
};

/** Books the refund of the other system. Goods are paid for at most what they are worth; the rest is stated as such. */
const payBack = (
  progress: Progress,
  command: ImportReturn,
  order: Order,
  ids: ImportIds,
): Result<Progress & Pick<Imported, 'refund'>> => {
  const { refund, status } = command;
  if (refund === undefined) return ok(progress);
  const { state, ledger } = progress;
  const booked = recordRefund(order, ledger, state, { ...paidUnits(command, state), ...refund }, ids.refund);
  if (!booked.ok) return fail(underPath('/refund', booked.failure));
  const [first, ...others] = booked.value.events;
  if (first === undefined) return ok(progress);
  const paid = advance(progress, { events: [first, ...others], ledger: booked.value.ledger }, refund.occurredAt);
  const excess = status === 'completed' ? recoveryDue(paid.state) : 0;
  if (excess === 0) return ok({ ...paid, refund: booked.value.refund });
  const most = refund.amount.amount - excess;
  return fail({
    code: 'refund_exceeds_ceiling',
    detail: 'The refund is higher than the worth of the goods that came back or are kept.',
    errors: [
      {
        path: '/refund/amount',
        code: 'maximum',
        message: `must be at most ${most} ${refund.amount.currency} in minor units, or name the rest in shipping or extras`,
      },
    ],
  });
};

/**
 * Decides on a return of another system. No rule of this service forbids what has happened there: a broken one becomes a
 * discrepancy, as for facts of a platform. The units must be free, and the times in order. A completed return owes
 * nothing: the part that its system did not pay is waived.
 */
export const importReturn = (
  situation: Pick<Situation, 'order' | 'ledger' | 'now'> & Pick<Parameters<typeof createReturn>[0], 'reasons'>,
  command: ImportReturn,
  terms: Terms,
  ids: ImportIds,
): Result<Imported> => {
  const { order, ledger, now, reasons } = situation;
  const errors = importErrors(command, now);
  if (errors.length > 0) return fail({ code: 'invalid_request', detail: 'The return is inconsistent.', errors });
  const { source, externalId, requestedAt, endedAt, receivedAt, decidedAt, status } = command;
  const observed = { platform: source, externalId, occurredAt: requestedAt };
  const request = createReturn(
    { order, ledger, now: requestedAt, observed, ...(reasons !== undefined && { reasons }) },
    { ...command.request, status: 'requested' },
    terms,
    ids,
  );
  if (!request.ok) return request;
  let progress = advance({ steps: [], state: undefined }, request.value, requestedAt);
  for (const { at, decide } of decisionsOf(command)) {
    const [decided, ...more] = decide(progress.state);
    if (decided === undefined) continue;
    const outcome = toOutcome({ ...progress, order, now: at, observed }, [decided, ...more]);
    if (!outcome.ok) return outcome;
    progress = advance(progress, outcome.value, at);
  }
  const paid = payBack(progress, command, order, ids);
  if (!paid.ok || status !== 'completed') return paid;
  const { state } = paid.value;
  const events = completionEvents(state, owed(state) > 0 ? { reason: ids.waiver } : undefined);
  const at = endedAt ?? receivedAt ?? decidedAt ?? requestedAt;
  return ok({ ...paid.value, ...advance(paid.value, { events, ledger: paid.value.ledger }, at) });
};
