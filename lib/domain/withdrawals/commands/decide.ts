import { isSame } from '../../returns/history/canonical-json.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import type { FieldError } from '../../returns/model/status.ts';
import type { WithdrawalEvent } from '../history/entry.ts';
import type { Answer, Match, ReceiptSent, Withdrawal, WithdrawalStatus, WithdrawnReason } from '../model/withdrawal.ts';
import { decided, failed, failField, type WithdrawalResult } from './failure.ts';

/*
 * The commands on a stored withdrawal. Each returns its event, or undefined when the withdrawal already is as the
 * command demands. So a repeat with another key changes nothing.
 */

type Decision = WithdrawalResult<WithdrawalEvent | undefined>;

const unchanged: Decision = decided(undefined);

/** The statuses in which a command is allowed. */
const allowedIn = {
  match: ['declared', 'matched', 'answered'],
  answer: ['matched'],
  withdraw: ['declared', 'matched'],
} as const satisfies Readonly<Record<string, readonly WithdrawalStatus[]>>;

const check = (command: keyof typeof allowedIn, { status }: Withdrawal): WithdrawalResult<never> | undefined => {
  const allowed: readonly WithdrawalStatus[] = allowedIn[command];
  return allowed.includes(status)
    ? undefined
    : failed({
        code: 'invalid_transition',
        detail: `The withdrawal is ${status}. It must be ${allowed.join(' or ')}.`,
      });
};

/** Whether a match holds units or made a return. */
const hasEffect = ({ cancelled = [], returns = [] }: Withdrawal): boolean => cancelled.length + returns.length > 0;

/** Checks that a withdrawal can be matched, for the first time or again. A match with an effect is final. */
const checkMatchable = (state: Withdrawal): WithdrawalResult<never> | undefined =>
  state.status === 'matched' && hasEffect(state)
    ? failed({
        code: 'invalid_transition',
        detail: 'The withdrawal has units to cancel or a return, so it keeps its match.',
      })
    : check('match', state);

/** Returns the errors of lines that the order does not have, or that exceed it. */
const lineErrors = ({ facts }: Order, { lines = [] }: Match): { unknown: FieldError[]; excess: FieldError[] } => {
  const ordered = new Map(facts.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const unknown = lines.flatMap(({ orderLineId }, index) =>
    ordered.has(orderLineId)
      ? []
      : [{ path: `/lines/${index}/orderLineId`, code: 'unknown', message: 'must be a line of the order' }],
  );
  const excess = lines.flatMap(({ orderLineId, quantity }, index) => {
    const most = ordered.get(orderLineId);
    return most === undefined || quantity <= most
      ? []
      : [{ path: `/lines/${index}/quantity`, code: 'maximum', message: `must be at most ${most}` }];
  });
  return { unknown, excess };
};

/**
 * Checks that a declaration can be matched to an order. Each line occurs once. It can be matched again while no match
 * had an effect, to another order or after a correction of the facts. Then the same match is allowed too.
 */
export const checkMatch = (
  state: Withdrawal,
  order: Order,
  matched: Match,
): WithdrawalResult<'unchanged' | 'allowed'> => {
  const { match } = state;
  if (match !== undefined && state.status === 'matched' && hasEffect(state)) {
    const { order: before, lines } = match;
    const same = { order: before, ...(lines !== undefined && { lines }) };
    if (isSame(same, matched)) return decided('unchanged');
  }
  const conflict = checkMatchable(state);
  if (conflict !== undefined) return conflict;
  const ids = matched.lines?.map(({ orderLineId }) => orderLineId) ?? [];
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice !== -1) return failField(`/lines/${twice}/orderLineId`, 'unique', 'must occur once');
  const { unknown, excess } = lineErrors(order, matched);
  if (unknown.length > 0)
    return failed({ code: 'order_line_not_found', detail: 'The order has no line with this id.', errors: unknown });
  if (excess.length > 0)
    return failed({
      code: 'quantity_exceeds_returnable',
      detail: 'A line names more units than were ordered.',
      errors: excess,
    });
  return decided('allowed');
};

/** Answers a matched declaration that the consumer has no right of withdrawal. */
export const answer = (state: Withdrawal, given: Answer): Decision => {
  const conflict = check('answer', state);
  if (conflict !== undefined) return conflict;
  return hasEffect(state)
    ? failed({
        code: 'invalid_transition',
        detail: 'The withdrawal has units to cancel or a return, so the consumer has the right.',
      })
    : decided({ type: 'withdrawal.answered', data: { withdrawalId: state.id, ...given } });
};

/**
 * Ends a declaration that the consumer made by mistake.
 *
 * @param open the first of its returns that is not cancelled
 */
export const withdraw = (state: Withdrawal, reason: WithdrawnReason, open?: string): Decision => {
  if (state.withdrawn?.reason === reason) return unchanged;
  const conflict = check('withdraw', state);
  if (conflict !== undefined) return conflict;
  return open === undefined
    ? decided({ type: 'withdrawal.withdrawn', data: { withdrawalId: state.id, reason } })
    : failed({ code: 'invalid_transition', detail: `Cancel the return ${open} first.` });
};

/** The range of accepted times, with the allowed clock skew. */
type Bounds = { readonly earliest: Instant; readonly latest: Instant };

/** Records that the consumer got the receipt. The first report counts. */
export const recordReceiptSent = (state: Withdrawal, report: ReceiptSent, { earliest, latest }: Bounds): Decision => {
  const { sent } = state.receipt;
  if (sent !== undefined)
    return isSame(sent, report)
      ? unchanged
      : failed({ code: 'invalid_transition', detail: 'The receipt is already recorded as sent.' });
  if (report.sentAt > latest) return failField('/sentAt', 'maximum', 'must not be in the future');
  if (report.sentAt < earliest) return failField('/sentAt', 'minimum', 'must not be before the declaration');
  return decided({ type: 'withdrawal.receipt_sent', data: { withdrawalId: state.id, ...report } });
};
