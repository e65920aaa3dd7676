import fc from 'fast-check';
import { complete } from '../../../../lib/domain/returns/commands/endings.ts';
import {
  recordRecovery,
  waiveFee,
  writeOffRecovery,
} from '../../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import type { Outcome } from '../../../../lib/domain/returns/commands/outcome.ts';
import type { Result } from '../../../../lib/domain/returns/failure.ts';
import { recoveryDue } from '../../../../lib/domain/returns/money/recovery.ts';
import type { Situation } from '../../../../lib/domain/returns/situation.ts';
import { applyResult, openAccount, situationOf } from '../../../support/money.ts';
import { sealed } from '../../../support/return-case.ts';
import { act, type OneOrder } from './act.ts';
import { expectObligations, expectQuoteIsOwed } from './obligations.ts';
import { stories, type Story } from './share.ts';

/* Stories in which the customer pays money back, and the shop gives up what is owed to it or what it owes. */

/** What happens after an act, on one of the returns. */
type Repayment = { readonly which: number; readonly kind: 'part' | 'all' | 'off' | 'waive' | 'complete' | 'nothing' };

const repayments: fc.Arbitrary<Repayment> = fc.record({
  which: fc.nat(3),
  kind: fc.constantFrom('part', 'part', 'all', 'all', 'off', 'waive', 'complete', 'nothing', 'nothing', 'nothing'),
});

type Repaid = { readonly story: Story; readonly repaid: readonly Repayment[] };

export const repaidStories = (length: number): fc.Arbitrary<Repaid> =>
  fc.record({
    story: stories(length),
    repaid: fc.array(repayments, { minLength: length, maxLength: length, size: 'max' }),
  });

const decide = (situation: Situation, kind: Repayment['kind'], id: string): Result<Outcome> | undefined => {
  const due = recoveryDue(situation.state);
  const { currency } = situation.order.facts;
  switch (kind) {
    case 'part':
      return due > 1 ? recordRecovery(situation, { amount: { amount: Math.ceil(due / 3), currency } }, id) : undefined;
    case 'all':
      return due > 0 ? recordRecovery(situation, { amount: { amount: due, currency } }, id) : undefined;
    case 'off':
      return due > 0 ? writeOffRecovery(situation, { reason: 'goodwill' }, id) : undefined;
    case 'waive':
      return waiveFee(situation, { type: 'promotion', reason: 'goodwill' });
    case 'complete':
      return complete(situation, { waiver: { reason: sealed(id) } });
    case 'nothing':
      return undefined;
  }
};

const repay = ({ account }: OneOrder, { which, kind }: Repayment, serial: number): boolean => {
  if (account.returns.length === 0) return false;
  const index = which % account.returns.length;
  const decision = decide(situationOf(account, index, true), kind, `rcv_${serial}`);
  if (decision?.ok === true) applyResult(account, decision, index);
  return decision?.ok === true;
};

const expectBalance = ({ account }: OneOrder): void =>
  account.returns.forEach((_, index) => {
    const situation = situationOf(account, index);
    expectObligations(situation.state);
    expectQuoteIsOwed(situation);
  });

/** Runs a story, and checks after each step that what is open is the balance. */
export const liveThroughRepaid = (
  { story: { sold, terms, doings }, repaid }: Repaid,
  done: Map<string, number>,
): OneOrder => {
  const one: OneOrder = { account: openAccount(sold), alone: [] };
  doings.forEach((doing, serial) => {
    if (act(one, doing, serial, terms)) expectBalance(one);
    const repayment = repaid[serial];
    if (repayment === undefined || !repay(one, repayment, serial)) return;
    done.set(repayment.kind, (done.get(repayment.kind) ?? 0) + 1);
    expectBalance(one);
  });
  return one;
};
