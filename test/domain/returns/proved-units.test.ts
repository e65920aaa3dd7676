import { describe, expect, it } from 'vitest';
import { addParcel, updateParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed } from '../../../lib/domain/returns/money/recovery.ts';
import { moneyOf } from '../../../lib/domain/returns/money/refund-status.ts';
import { nextStep } from '../../../lib/domain/returns/rules/next-step.ts';
import {
  type Account,
  applyResult,
  beginReturn,
  openAccount,
  refund,
  reportStatuses,
  situationOf,
  timed,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

/** Returns an account with a return of two units at 10.00, and shipping of 5.00. Its terms pay in transit. */
const twoUnits = (): Account => {
  const account = openAccount(
    order({ lines: [orderLine({ quantity: 2, unitPrice: eur(1000) })], shipping: { paid: eur(500) } }),
  );
  beginReturn(account, { 1: 2 }, { ...timed('in_transit'), shipping: 'full_if_whole_order' });
  return account;
};

const lineId = 'rln_0_0';
const receiveUnits = (account: Account, quantity: number, parcelId?: string) =>
  applyResult(
    account,
    receive(situationOf(account), { ...(parcelId && { parcelId }), lines: [{ lineId, quantity }] }, ['unx_0']),
  );
const send = (account: Account, quantity: number, id: string) =>
  applyResult(account, addParcel(situationOf(account), { status: 'in_transit', contents: [{ lineId, quantity }] }, id));
const moneyFacts = (account: Account) => {
  const { state } = situationOf(account);
  const quoted = quote(situationOf(account), {});
  return { quote: quoted.ok && quoted.value.total.amount, due: moneyOf(state).due, owed: owed(state) };
};

describe('a refund without lines, of terms that pay in transit', () => {
  it('pays for the unit that is here, then for the other one with the shipping', () => {
    const account = twoUnits();
    receiveUnits(account, 1);
    expect(moneyFacts(account)).toEqual({ quote: 1000, due: 1000, owed: 2000 });
    refund(account);
    reportStatuses(account, ['submitted', 'succeeded']);
    expect(moneyFacts(account)).toEqual({ quote: 0, due: 0, owed: 1000 });
    expect(nextStep(situationOf(account).state)?.action).not.toBe('refund');
    expect(refundReturn(situationOf(account), {}, { id: 'rfd_1' })).toMatchObject({
      failure: { code: 'refund_exceeds_ceiling', detail: expect.stringContaining('Name `lines`') },
    });
    receiveUnits(account, 1);
    expect(moneyFacts(account)).toEqual({ quote: 1500, due: 1000, owed: 1000 });
  });

  it('pays for units in a parcel that has left, and not twice after its receipt', () => {
    const account = twoUnits();
    send(account, 1, 'pcl_1');
    expect(moneyFacts(account)).toMatchObject({ quote: 1000, due: 1000 });
    receiveUnits(account, 1, 'pcl_1');
    expect(moneyFacts(account)).toMatchObject({ quote: 1000, due: 1000 });
    send(account, 1, 'pcl_2');
    expect(moneyFacts(account)).toMatchObject({ quote: 2500, due: 2000 });
  });

  it.each(['delivered', 'lost'] as const)('pays for units in a parcel that is %s and not received', (status) => {
    const account = twoUnits();
    send(account, 1, 'pcl_1');
    applyResult(account, updateParcel(situationOf(account), 'pcl_1', { status }));
    expect(moneyFacts(account)).toMatchObject({ quote: 1000, due: 1000 });
  });

  it('leaves it to the caller to name units that are still with the customer', () => {
    const account = twoUnits();
    receiveUnits(account, 1);
    expect(refund(account, { lines: [{ lineId, quantity: 2 }] }).refunds).toMatchObject([{ amount: eur(2500) }]);
  });
});
