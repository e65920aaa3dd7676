import { defaultTerms } from '../../lib/domain/policies/terms/policy-terms.ts';
import { inspect } from '../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../lib/domain/returns/commands/goods/receive.ts';
import type { Outcome } from '../../lib/domain/returns/commands/outcome.ts';
import {
  type RecordRefundResult,
  recordRefundResult,
} from '../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn, type RefundReturn } from '../../lib/domain/returns/commands/money/refund-return.ts';
import { createReturn } from '../../lib/domain/returns/commands/request/create-return.ts';
import type { CreateReturn } from '../../lib/domain/returns/commands/request/decide-request.ts';
import type { Result } from '../../lib/domain/returns/failure.ts';
import { appendEntries } from '../../lib/domain/returns/history/history.ts';
import type { Order, OrderFacts } from '../../lib/domain/returns/model/order.ts';
import type { Return } from '../../lib/domain/returns/model/return.ts';
import type { Terms } from '../../lib/domain/returns/model/terms.ts';
import { emptyLedger, type Ledger } from '../../lib/domain/returns/money/order-ledger.ts';
import { quote } from '../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../lib/domain/returns/money/recovery.ts';
import { moneyOf, refundStatus } from '../../lib/domain/returns/money/refund-status.ts';
import { withCurrentWorth } from '../../lib/domain/returns/money/revalue.ts';
import { liveRefunds } from '../../lib/domain/returns/money/bookings.ts';
import type { Situation } from '../../lib/domain/returns/situation.ts';
import { order } from './orders.ts';

export const now = '2026-11-21T08:00:00.000Z';
const later = '2026-11-21T09:00:00.000Z';

const circumstances = {
  at: now,
  actor: { clientId: 'shop' },
  causationId: 'request-1',
  correlationId: 'trace-1',
  policyVersion: null,
};

/** Terms with a refund as soon as a return is created. */
export const inAdvance: Terms = { ...defaultTerms, approval: 'auto', refundTiming: 'approved' };

/** Returns terms with these fees, and no others. */
export const withFees = (fees: Partial<Terms['fees']>, terms: Terms = inAdvance): Terms => ({
  ...terms,
  fees: { ...terms.fees, ...fees },
});

/** Returns of one order, and their shared account. */
export type Account = { readonly order: Order; ledger: Ledger; readonly returns: Return[] };

export const openAccount = (order: Order): Account => ({ order, ledger: emptyLedger, returns: [] });

/** Returns the input of a command on one of the returns. */
export const situationOf = ({ order, ledger, returns }: Account, index = 0, admin = false): Situation => {
  const state = returns[index];
  if (state === undefined) throw new Error(`no return ${index}`);
  return { ...withCurrentWorth(state, order, ledger), order, ledger, now, admin };
};

/** Applies the result of a command to one of the returns. Throws the code of a refusal. */
export const applyResult = (account: Account, decision: Result<Outcome | undefined>, index = 0): Return => {
  if (!decision.ok) throw new Error(decision.failure.code);
  const before = account.returns[index];
  if (decision.value !== undefined) {
    account.returns[index] = appendEntries(before, decision.value.events, circumstances).state;
    account.ledger = decision.value.ledger;
  }
  return situationOf(account, index).state;
};

/** Creates a return of units by order line. */
export const beginReturn = (
  account: Account,
  units: Readonly<Record<string, number>>,
  terms: Terms = inAdvance,
  more: Partial<CreateReturn> = {},
): Return => {
  const index = account.returns.length;
  const lines = Object.entries(units).map(([orderLineId, quantity]) => ({
    orderLineId,
    quantity,
    reason: { code: 'fit.too_small' },
  }));
  const ids = {
    id: `ret_${index}`,
    rmaNumber: '00000000000',
    lineIds: lines.map((_, line) => `rln_${index}_${line}`),
    subject: 'shopify:7',
  };
  const { order, ledger } = account;
  return applyResult(account, createReturn({ order, ledger, now }, { lines, ...more }, terms, ids), index);
};

/** Books a refund of one of the returns. */
export const refund = (account: Account, command: RefundReturn = {}, index = 0, admin = false): Return => {
  const situation = situationOf(account, index, admin);
  const id = `rfd_${index}_${situation.state.refunds.length}`;
  return applyResult(account, refundReturn(situation, command, { id }), index);
};

/** Reports statuses of the last refund of one of the returns, in order. */
export const reportStatuses = (
  account: Account,
  statuses: readonly RecordRefundResult['status'][],
  index = 0,
): Return => {
  for (const status of statuses) {
    const situation = situationOf(account, index);
    const refundId = situation.state.refunds.at(-1)?.id ?? '';
    applyResult(account, recordRefundResult(situation, { refundId, status }, later), index);
  }
  return situationOf(account, index).state;
};

/** Returns the sum of the refunds of all returns that count, in minor units. */
export const sumOfRefunds = ({ returns }: Account): number =>
  returns.flatMap((state) => liveRefunds(state)).reduce((sum, { amount }) => sum + amount.amount, 0);

/** Receives, accepts or refuses units of the first line of a return, as receipt and inspection would. */
export const withUnits = (account: Account, units: Partial<Return['lines'][number]['quantities']>, index = 0): void => {
  const { state } = situationOf(account, index);
  account.returns[index] = {
    ...state,
    lines: state.lines.map((line, lineIndex) =>
      lineIndex === 0 ? { ...line, quantities: { ...line.quantities, ...units } } : line,
    ),
  };
};

/** Returns terms that refund at this time. */
export const timed = (refundTiming: Terms['refundTiming']): Terms => ({ ...inAdvance, refundTiming });

export const onReceipt = timed('received');

/** Begins a return of units of the first order line. */
export const returned = (account: Account, units: number, terms = onReceipt): Account => {
  beginReturn(account, { 1: units }, terms);
  return account;
};

/** Returns an account with one return of `units` of the order's three at 10.00. */
export const accountOf = (terms: Terms, units = 3, facts: Partial<OrderFacts> = {}): Account =>
  returned(openAccount(order(facts)), units, terms);

/** Receives units of the first line of a return, and accepts them. */
export const accept = (account: Account, quantity: number, index = 0, deductionBps = 0): void => {
  const units = { lineId: `rln_${index}_0`, quantity };
  applyResult(account, receive(situationOf(account, index), { lines: [units] }, ['unx_0']), index);
  const found = { id: `ins_${index}`, ...units, outcome: 'accept', deductionBps } as const;
  applyResult(account, inspect(situationOf(account, index), { lines: [found] }), index);
};

/** Returns the sums that a view of a return shows, and its quote in minor units or the code of the failure. */
export const moneyFacts = (account: Account, index = 0) => {
  const situation = situationOf(account, index);
  const quoted = quote(situation, {});
  const { state } = situation;
  return {
    quote: quoted.ok ? quoted.value.total.amount : quoted.failure.code,
    due: moneyOf(state).due,
    owed: owed(state),
    recoveryDue: recoveryDue(state),
    status: refundStatus(state),
  };
};

export const inStatus = (account: Account, status: Return['status']): void => {
  account.returns[0] = { ...situationOf(account).state, status };
};
