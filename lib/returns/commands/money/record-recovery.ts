import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { givenBack } from '../../money/given-back.ts';
import { refused, type Decision } from '../../failure.ts';
import { inOneCurrency } from '../../one-currency.ts';
import type { Money } from '../../model/order.ts';
import { recoveryDue } from '../../money/recovery.ts';
import { roomIn } from '../../rules/room.ts';
import type { Situation } from '../../situation.ts';

/** Money that the customer gave back. */
export type RecordRecovery = { readonly amount: Money; readonly reference?: string };

/**
 * Decides on money that the customer gave back; never more than is due.
 *
 * @param id of the new recovery
 */
export const recordRecovery = (
  situation: Situation,
  { amount, reference }: RecordRecovery,
  id: string,
): Decision<Outcome> => {
  const { state, order, now } = situation;
  const admission = admitted(situation, 'recordRecovery');
  if (!admission.ok) return admission;
  const currencies = inOneCurrency(order.facts.currency, [['/amount', amount]]);
  if (!currencies.ok) return currencies;
  const due = recoveryDue(state);
  if (amount.amount > due) {
    const errors = [{ path: '/amount/amount', code: 'maximum', message: `must be at most ${due}` }];
    return refused({ code: 'recovery_exceeds_due', detail: 'More than the customer has to give back.', errors });
  }
  const space = roomIn(state, 'recoveries');
  if (!space.ok) return space;
  const told = reference === undefined ? {} : { reference };
  const recovery = { id, type: 'recovered' as const, amount, ...givenBack(state, amount), ...told, at: now };
  return conclude(situation, [{ type: 'recovery.recorded', data: { recovery } }]);
};
