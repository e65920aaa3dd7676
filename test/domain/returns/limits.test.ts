import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import type { Outcome } from '../../../lib/domain/returns/commands/outcome.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { addAttachment } from '../../../lib/domain/returns/commands/annotations.ts';
import type { Result } from '../../../lib/domain/returns/failure.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { order } from '../../support/orders.ts';

const metadata = {
  at: '2026-11-21T08:00:00.000Z',
  actor: { clientId: 'shop' },
  causationId: 'request',
  correlationId: 'trace',
  policyVersion: null,
};

const after = (state: Return | undefined, decision: Result<Outcome | undefined>): Return => {
  if (!decision.ok || decision.value === undefined) throw new Error('nothing was done');
  return appendEntries(state, decision.value.events, metadata).state;
};

const situationOf = (state: Return) => ({
  state,
  order: order(),
  ledger: emptyLedger,
  now: metadata.at,
  admin: false,
});

const requested = (): Return => {
  const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
  const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['rln_1'], subject: 'x' };
  const start = { order: order(), ledger: emptyLedger, now: metadata.at };
  return after(undefined, createReturn(start, { lines }, defaultTerms, ids));
};

const attach = (state: Return, id: string) =>
  addAttachment(situationOf(state), { id, contentType: 'image/png', size: 1, sha256: '' });

describe('limits of a return', () => {
  it('allow 100 attachments, and then report the blocker', () => {
    let state = requested();
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

  it('allow 100 exchanges, cancelled ones included', () => {
    const requestExchange = (state: Return, id: string) =>
      exchange(situationOf(state), id, { lineId: 'rln_1', quantity: 1, newItem: { sku: 'NEW', quantity: 1 } });
    let state = after(requested(), approve(situationOf(requested()), {}));
    for (let count = 0; count < 100; count += 1) {
      const exchangeId = `exc_${count}`;
      state = after(state, requestExchange(state, exchangeId));
      state = after(state, exchangeResult(situationOf(state), { exchangeId, status: 'cancelled' }));
    }
    expect(state.exchanges).toHaveLength(100);
    expect(state.lines).toMatchObject([{ quantities: { exchanged: 0 } }]);
    expect(requestExchange(state, 'exc_100')).toMatchObject({
      failure: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action: 'exchange', scope: 'returns:write', allowed: false, blockedBy: 'too_many_exchanges' },
        ]),
      },
    });
  });
});
