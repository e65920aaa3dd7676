import { sum } from '../../../../runtime/sum.ts';
import type { Wanted, WantedReturn } from '../../effect.ts';
import { blocked } from '../../shared/effects/plan.ts';
import { isSameUnits, type RepeatedPlan } from '../../shared/effects/repeated-plan.ts';
import { rejectionCodes } from '../words.ts';
import type { Mutation } from './mutate.ts';
import type { ReturnState } from './state.ts';

/*
 * The decisions on a return that the shop has. Its status prevents a second effect: Shopify rejects an approval or a
 * rejection of a decided return, and cancels or closes one as often as it is asked.
 */

const open = (name: Mutation['name'], variables: Mutation['variables']): RepeatedPlan<Mutation> => ({
  kind: 'open',
  request: { name, variables },
  repeat: 'safe',
});

const done = ({ gid, status }: ReturnState): RepeatedPlan<Mutation> => ({
  kind: 'done',
  externalId: gid,
  seen: { status },
});

const conflict = ({ status }: ReturnState): RepeatedPlan<Mutation> => blocked('return_state_differs', { status });

/** Plans the approval of a request. Shopify approves a request whole, so it must have the units that we approved. */
export const planApproval = (state: ReturnState, { lines }: WantedReturn): RepeatedPlan<Mutation> => {
  if (state.status === 'OPEN' || state.status === 'CLOSED') return done(state);
  if (state.status !== 'REQUESTED') return conflict(state);
  if (!isSameUnits(lines, state.lines))
    return blocked('units_differ', {
      ours: sum(lines.map(({ quantity }) => quantity)),
      shop: sum(state.lines.map(({ quantity }) => quantity)),
    });
  return open('returnApproveRequest', { input: { id: state.gid, notifyCustomer: false } });
};

const declineReasons: ReadonlyMap<string | undefined, string> = new Map(
  Object.entries(rejectionCodes).map(([word, code]) => [code, word]),
);

export const planRejection = (state: ReturnState, { rejection }: WantedReturn): RepeatedPlan<Mutation> => {
  if (state.status === 'DECLINED' || state.status === 'CANCELED') return done(state);
  if (state.status !== 'REQUESTED') return conflict(state);
  const declineReason = declineReasons.get(rejection) ?? 'OTHER';
  return open('returnDeclineRequest', { input: { id: state.gid, declineReason, notifyCustomer: false } });
};

export const planCancellation = (state: ReturnState): RepeatedPlan<Mutation> => {
  if (state.status === 'CANCELED' || state.status === 'DECLINED') return done(state);
  const isProcessed =
    state.lines.some(({ processed }) => processed > 0) ||
    state.reverseLines.some(({ disposed }) => Object.keys(disposed).length > 0) ||
    state.refunds.length > 0;
  if (state.status === 'CLOSED' || isProcessed) return blocked('return_processed', { status: state.status });
  return open('returnCancel', { id: state.gid });
};

/** Plans the end of a return. While its money is not paid, the refund goes first: a closed return takes none. */
export const planClosing = (
  state: ReturnState,
  wanted: Pick<Wanted, 'paysRefunds'>,
  isUnpaid: boolean,
): RepeatedPlan<Mutation> => {
  if (state.status === 'CLOSED' || state.status === 'CANCELED' || state.status === 'DECLINED') return done(state);
  if (state.status !== 'OPEN') return conflict(state);
  if (wanted.paysRefunds && isUnpaid) return { kind: 'deferred', to: 'refund' };
  return open('returnClose', { id: state.gid });
};
