import { expiresAt } from './deadlines.ts';
import { needsOverride } from './eligibility.ts';
import type { Instant } from '../model/order.ts';
import type { Return } from '../model/return.ts';
import { scopeOf, type Command, type Scope } from './states.ts';

/** The scope that a command needs now: only an admin lets a return expire before its time, or approves against a policy. */
export const scopeNow = (state: Return, command: Command, now: Instant): Scope => {
  const usual = scopeOf(command, state.status);
  if (command === 'approve' && needsOverride(state)) return 'returns:admin';
  if (command !== 'expire') return usual;
  const time = expiresAt(state);
  return time !== undefined && time <= now ? usual : 'returns:admin';
};
