import { decided, type Decision, refused } from '../failure.ts';
import type { Line, Return } from '../model/return.ts';
import { allowedActions } from '../rules/allowed-actions.ts';
import { type Blocker, rules } from '../rules/blocker.ts';
import { scopeNow } from '../rules/eligibility.ts';
import { discrepanciesOf } from '../rules/fact.ts';
import { blockerOf, rulesAgainst } from '../rules/guards/guards.ts';
import type { Command } from '../rules/states.ts';
import type { Situation } from '../situation.ts';

/** A line of a return by its id. */
export const lineOf = ({ lines }: Pick<Return, 'lines'>, lineId: string): Decision<Line> => {
  const line = lines.find(({ id }) => id === lineId);
  if (line !== undefined) return decided(line);
  const errors = [{ path: '/lineId', code: 'unknown', message: 'must be a line of the return' }];
  return refused({ code: 'return_line_not_found', detail: 'The return has no such line.', errors });
};

/** The refusal of what does not go with the state that a return is in; it says what may be done instead. */
export const conflicting = (situation: Situation, detail: string) =>
  refused({ code: 'invalid_transition', detail, allowedActions: allowedActions(situation) });

/** Refuses a command for its blocker. `inspection_pending` is a code of the contract; the other blockers share one. */
const blocked = (situation: Situation, { code, detail, errors }: Blocker) =>
  refused({
    code: code === 'inspection_pending' ? code : 'invalid_transition',
    detail,
    ...(errors === undefined ? {} : { errors }),
    allowedActions: allowedActions(situation),
  });

/**
 * Whether a return takes a command as it is now. Rules of the service do not hinder a fact; `overruled` says which it went
 * against, to be recorded with it.
 *
 * @param waived the blocker that the command itself takes out of the way
 */
export const admitted = (situation: Situation, command: Command, waived?: Blocker['code']): Decision<null> => {
  const { state, admin, now, observed } = situation;
  const isWaived = ({ code }: Blocker) => code === waived || (observed !== undefined && rules.has(code));
  const blocker = blockerOf(state, command, isWaived);
  if (blocker !== undefined) return blocked(situation, blocker);
  if (scopeNow(state, command, now) === 'returns:admin' && !admin) {
    const when = command === 'expire' ? 'Before its deadline' : `While it is ${state.status}`;
    return refused({ code: 'insufficient_scope', detail: `${when}, ${command} needs the scope returns:admin.` });
  }
  return decided(null);
};

/** The discrepancies to record of rules that a fact went against. */
export const overruled = (situation: Situation, command: Command, waived?: Blocker['code']) =>
  discrepanciesOf(
    situation,
    rulesAgainst(situation.state, command).filter(({ code }) => code !== waived),
  );
