import { expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/default-terms.ts';
import { approve } from '../../lib/returns/approve.ts';
import { createReturn } from '../../lib/returns/create-return.ts';
import { append } from '../../lib/returns/history.ts';
import { emptyLedger } from '../../lib/returns/ledger.ts';
import { reject } from '../../lib/returns/reject.ts';
import type { Terms } from '../../lib/returns/terms.ts';
import { order } from '../support/orders.ts';

const now = '2026-11-21T08:00:00.000Z';
const made = { at: now, actor: { clientId: 'shop' }, causationId: 'a', correlationId: 'b', policyVersion: null };
const observed = { platform: 'shopify', externalId: '7', occurredAt: now };
const protectedTerms: Terms = { ...defaultTerms, floor: { law: 'EU 2011/83', fees: [] } };

const start = (terms: Terms, status?: 'rejected') => {
  const lines = [{ orderLineId: '1', quantity: 2, reason: { code: 'fit.too_small' } }];
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['a'], subject: 'x' };
  const told = status === undefined ? {} : { status };
  const facts = { order: order(), ledger: emptyLedger, now, observed };
  const decision = createReturn(facts, { lines, managedBy: 'platform', ...told }, terms, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  const { state } = append(undefined, decision.value.events, made);
  return { state, order: order(), ledger: decision.value.ledger, now, admin: false };
};

it('rejects nothing that the law protects, in whole or in part', () => {
  const situation = start(protectedTerms);
  const violation = { failure: { code: 'statutory_floor_violation', detail: expect.stringContaining('EU 2011/83') } };
  expect(reject(situation, { code: 'final_sale' })).toMatchObject(violation);
  expect(approve(situation, { lines: [{ lineId: 'a', quantity: 1 }] })).toMatchObject(violation);
  expect(approve(situation, {}).ok).toBe(true);
  expect(reject(start(defaultTerms), { code: 'final_sale' }).ok).toBe(true);
});

it('records all the same what a platform has rejected, and what speaks against it', () => {
  const found = { discrepancies: [{ code: 'statutory_floor_violation', at: now }] };
  const situation = { ...start(protectedTerms), observed };
  const decision = reject(situation, { code: 'final_sale' });
  if (!decision.ok) throw new Error(decision.failure.code);
  expect(append(situation.state, decision.value.events, made).state).toMatchObject({ status: 'rejected', ...found });
  expect(start(protectedTerms, 'rejected').state).toMatchObject({ status: 'rejected', ...found });
});
