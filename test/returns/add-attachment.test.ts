import { expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/default-terms.ts';
import { addAttachment } from '../../lib/returns/add-attachment.ts';
import { createReturn } from '../../lib/returns/create-return.ts';
import type { Decision } from '../../lib/returns/failure.ts';
import type { Outcome } from '../../lib/returns/conclude.ts';
import { append } from '../../lib/returns/history.ts';
import { emptyLedger } from '../../lib/returns/ledger.ts';
import type { Return } from '../../lib/returns/return.ts';
import { order } from '../support/orders.ts';

const made = {
  at: '2026-11-21T08:00:00.000Z',
  actor: { clientId: 'shop' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
};

const after = (state: Return | undefined, decision: Decision<Outcome>): Return => {
  if (!decision.ok) throw new Error(decision.failure.code);
  return append(state, decision.value.events, made).state;
};

const attach = (state: Return, id: string) =>
  addAttachment(
    { state, order: order(), ledger: emptyLedger, now: made.at, admin: false },
    { id, contentType: 'image/png', size: 1, sha256: '' },
  );

it('takes a hundred attachments, and then says what blocks another', () => {
  const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['rln_1'], subject: 'x' };
  let state = after(
    undefined,
    createReturn({ order: order(), ledger: emptyLedger, now: made.at }, { lines }, defaultTerms, ids),
  );
  for (let count = 0; count < 100; count += 1) state = after(state, attach(state, `att_${count}`));
  expect(state.evidence.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => `att_${index}`));
  expect(attach(state, 'att_100')).toMatchObject({
    ok: false,
    failure: {
      code: 'invalid_transition',
      allowedActions: expect.arrayContaining([
        { action: 'addAttachment', scope: 'returns:write', allowed: false, blockedBy: 'too_much_evidence' },
      ]),
    },
  });
});
