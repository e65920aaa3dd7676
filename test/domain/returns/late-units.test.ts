import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { complete, expire } from '../../../lib/domain/returns/commands/endings.ts';
import { closeReceipt, grant } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { correct } from '../../../lib/domain/returns/commands/goods/correct.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { reopen } from '../../../lib/domain/returns/commands/request/reopen.ts';
import { ceilingUnits } from '../../../lib/domain/returns/money/refund-ceiling.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { order, orderLine } from '../../support/orders.ts';
import { openCase, run } from '../../support/return-case.ts';

const terms = { ...defaultTerms, approval: 'auto', inspection: 'skipped' } as const;
const why = { reason: { ref: 'why', digest: '0' } };

const came = (quantity: number) => (situation: Situation) =>
  receive(situation, { lines: [{ lineId: 'a', quantity }] }, ['unx_1']);
const closed = (situation: Situation) => closeReceipt(situation, { cause: 'not_in_parcel' });
const oneMissing = (situation: Situation) =>
  correct(situation, {
    correction: why,
    ids: [{ accepted: 'ins_1', refused: 'ins_2' }],
    lines: [{ lineId: 'a', missing: 1 }],
  });

describe('late units', () => {
  it('keeps every missing unit in the list, also when corrections left several entries of one cause', () => {
    const { state } = run(openCase(undefined, { terms }), oneMissing, oneMissing, closed);
    expect(state.lines[0]).toMatchObject({
      quantities: { missing: 3 },
      missing: [
        { quantity: 1, cause: 'not_in_parcel', granted: 0 },
        { quantity: 2, cause: 'not_in_parcel', granted: 0 },
      ],
    });
  });

  it('never pays twice for a unit that was granted as missing and arrives late', () => {
    const honoured = (situation: Situation) =>
      grant(situation, { reason: 'goodwill', lines: [{ lineId: 'a', quantity: 2, of: 'missing' }] });
    const facts = order({ lines: [orderLine({ quantity: 5 })] });
    const { state } = run(openCase(undefined, { facts, terms }), oneMissing, oneMissing, honoured, closed, came(2));
    expect(state.lines.map((line) => ceilingUnits(line, state.terms))).toEqual([3]);
    expect(state.unexpected).toMatchObject([{ quantity: 1 }]);
  });

  it('receives a late unit that was exchanged in advance', () => {
    const exchanged = (situation: Situation) =>
      exchange(situation, 'exc_1', { lineId: 'a', quantity: 3, newItem: { sku: 'NEW', quantity: 1 } });
    const { state } = run(openCase(undefined, { terms }), exchanged, closed, came(3));
    expect(state.lines[0]?.quantities).toMatchObject({ missing: 0, received: 3 });
    expect(state.unexpected).toEqual([]);
  });

  it('does not expect units again that an expiry closed, after the return went on and was completed', () => {
    const { state } = run(
      openCase(undefined, { terms }),
      expire,
      came(1),
      (situation) => complete(situation, { waiver: why }),
      (situation) => reopen(situation, why),
    );
    expect(state).toMatchObject({ status: 'inspected', lines: [{ quantities: { received: 1, missing: 2 } }] });
  });
});
