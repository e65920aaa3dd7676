import type { Order } from '../model/order.ts';
import type { Return } from '../model/return.ts';
import type { Blocker } from './blocker.ts';
import { requiredScope } from './eligibility.ts';
import { unwaivableBlockerOf } from './guards/guards.ts';
import { type ActionInput, requirementsOf } from './command-requirements.ts';
import { type AllowedAction, type Command, commands, type Scope, scopeOf } from './states.ts';

const blockedAction = (action: Command, scope: Scope, { code }: Pick<Blocker, 'code'>): AllowedAction => ({
  action,
  scope,
  allowed: false,
  blockedBy: code,
});

/** Returns the order if its facts have every line of the return. Without them no command can compute its outcome. */
const orderWithAllLines = ({ lines }: Return, order: Order | undefined): Order | undefined => {
  const known = new Set(order?.facts.lines.map(({ lineId }) => lineId));
  return lines.every(({ orderLineId }) => known.has(orderLineId)) ? order : undefined;
};

/**
 * Lists every command on a return: whether some request of it succeeds now, and with which scope.
 * Otherwise it lists the blocker. A platform fact may be recorded even when a service rule blocks the command.
 *
 * @param known without an order when its facts are removed
 */
export const allowedActions = (
  known: Omit<ActionInput, 'order'> & { readonly order: Order | undefined },
): readonly AllowedAction[] => {
  const { state, now } = known;
  const order = orderWithAllLines(state, known.order);
  return commands.map((action) => {
    if (order === undefined) return blockedAction(action, scopeOf(action, state.status), { code: 'order_removed' });
    const prospect = unwaivableBlockerOf(state, action) ?? requirementsOf({ ...known, order }, action);
    if ('code' in prospect) return blockedAction(action, requiredScope(state, action, now), prospect);
    const { scope, overrides } = prospect;
    return { action, scope, allowed: true, ...(overrides.length === 0 ? {} : { overrides: [...overrides] }) };
  });
};
