import type { Order } from '../model/order.ts';
import type { Return } from '../model/return.ts';
import type { Blocker } from './blocker.ts';
import { scopeNow } from './eligibility.ts';
import { lastingBlockerOf } from './guards/guards.ts';
import { type Facts, prospectOf } from './prospects.ts';
import { type AllowedAction, type Command, commands, type Scope, scopeOf } from './states.ts';

const blocked = (action: Command, scope: Scope, { code }: Pick<Blocker, 'code'>): AllowedAction => ({
  action,
  scope,
  allowed: false,
  blockedBy: code,
});

/** The order, where its facts have every line of the return: without them no command can compute its outcome. */
const wholeOrder = ({ lines }: Return, order: Order | undefined): Order | undefined => {
  const known = new Set(order?.facts.lines.map(({ lineId }) => lineId));
  return lines.every(({ orderLineId }) => known.has(orderLineId)) ? order : undefined;
};

/**
 * Every command on a return as it is: whether some request of it succeeds now and with which scope, and if none does, what
 * blocks it. A fact may be recorded even where a rule of the service blocks the command.
 *
 * @param known without an order where its facts were removed
 */
export const allowedActions = (
  known: Omit<Facts, 'order'> & { readonly order: Order | undefined },
): readonly AllowedAction[] => {
  const { state, now } = known;
  const order = wholeOrder(state, known.order);
  return commands.map((action) => {
    if (order === undefined) return blocked(action, scopeOf(action, state.status), { code: 'order_removed' });
    const prospect = lastingBlockerOf(state, action) ?? prospectOf({ ...known, order }, action);
    if ('code' in prospect) return blocked(action, scopeNow(state, action, now), prospect);
    const { scope, overrides } = prospect;
    return { action, scope, allowed: true, ...(overrides.length === 0 ? {} : { overrides: [...overrides] }) };
  });
};
