import { admitted, conflicting } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Exchange } from '../../model/refund.ts';
import { decided, refused, type Decision } from '../../failure.ts';
import type { Situation } from '../../situation.ts';

/** What became of an exchange, and the order of the new item as the shop knows it. */
export type ExchangeResult = {
  readonly exchangeId: string;
  readonly status: 'ordered' | 'fulfilled' | 'cancelled';
  readonly externalRef?: string;
};

const next: Readonly<Record<Exchange['status'], readonly Exchange['status'][]>> = {
  requested: ['ordered', 'cancelled'],
  ordered: ['fulfilled', 'cancelled'],
  fulfilled: [],
  cancelled: [],
};

/**
 * Decides on what is told of an exchange. One that is cancelled gives back the units and the worth that it took.
 *
 * @returns the outcome; none when the exchange is known to have come to that already
 */
export const exchangeResult = (situation: Situation, result: ExchangeResult): Decision<Outcome | undefined> => {
  const { state } = situation;
  const { exchangeId, status, externalRef } = result;
  const known = state.exchanges.find(({ id }) => id === exchangeId);
  if (known === undefined) {
    const errors = [{ path: '/exchangeId', code: 'unknown', message: 'must be an exchange of the return' }];
    return refused({ code: 'exchange_not_found', detail: 'The return has no such exchange.', errors });
  }
  // Before the return is asked: what was told once may be told again, whatever became of it since.
  if (known.status === status) return decided(undefined);
  const admission = admitted(situation, 'exchangeResult');
  if (!admission.ok) return admission;
  if (!next[known.status].includes(status)) {
    const detail = `An exchange that is ${known.status} does not become ${status}.`;
    return conflicting(situation, detail);
  }
  const data = { exchangeId, ...(externalRef === undefined ? {} : { externalRef }) };
  return conclude(situation, [{ type: `exchange.${status}`, data }]);
};
