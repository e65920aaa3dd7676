import { expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/terms/default-terms.ts';
import { createReturn } from '../../lib/returns/commands/create-return.ts';
import { append } from '../../lib/returns/history/history.ts';
import { emptyLedger } from '../../lib/returns/money/ledger.ts';
import { sharedOut } from '../../lib/returns/commands/shared-out.ts';
import { eur, order, orderLine } from '../support/orders.ts';

it('gives a line all the money of its own units, however much it is', () => {
  const facts = order({ lines: [orderLine({ quantity: 100_000, unitPrice: eur(1) })] });
  const lines = [90_009, 1].map((quantity) => ({ orderLineId: '1', quantity, reason: { code: 'fit.too_small' } }));
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['a', 'b'], subject: 'x' };
  const at = '2026-11-21T08:00:00.000Z';
  const decision = createReturn({ order: facts, ledger: emptyLedger, now: at }, { lines }, defaultTerms, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  const circumstances = { at, actor: { clientId: 'shop' }, causationId: 'a', correlationId: 'b', policyVersion: null };
  const { state } = append(undefined, decision.value.events, circumstances);
  const refunded = { orderLineId: '1', quantity: 90_009, gross: eur(999_999_999_999), tax: eur(0) };
  expect(sharedOut(state.lines, [refunded]).lines).toEqual([
    { lineId: 'a', quantity: 90_009, gross: eur(999_999_999_999) },
  ]);
});
