import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { Line, Return } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';
import { allowedActions } from '../rules/allowed-actions.ts';
import { type Blocker, serviceRules } from '../rules/blocker.ts';
import { requiredScope } from '../rules/eligibility.ts';
import { discrepancyEvents } from '../rules/discrepancies.ts';
import { blockerOf, brokenRules } from '../rules/guards/guards.ts';
import type { Command } from '../rules/states.ts';
import type { Situation } from '../situation.ts';

/** Finds a line of a return by its id. */
export const findLine = ({ lines }: Pick<Return, 'lines'>, lineId: string): Result<Line> => {
  const line = lines.find(({ id }) => id === lineId);
  if (line !== undefined) return ok(line);
  const errors = [{ path: '/lineId', code: 'unknown', message: 'must be a line of the return' }];
  return fail({ code: 'return_line_not_found', detail: 'The return has no line with this id.', errors });
};

/**
 * Makes the failure of a command that the return does not allow, with the allowed actions.
 *
 * @param errors the wrong fields, when the command is allowed with other values
 */
export const failInvalidTransition = (situation: Situation, detail: string, errors?: readonly FieldError[]) =>
  fail({
    code: 'invalid_transition',
    detail,
    ...(errors === undefined ? {} : { errors }),
    allowedActions: allowedActions(situation),
  });

/** Makes the failure of a blocked command. `inspection_pending` has its own code. The other blockers share one. */
const failBlocked = (situation: Situation, { code, detail, errors }: Blocker) =>
  fail({
    code: code === 'inspection_pending' ? code : 'invalid_transition',
    detail,
    ...(errors === undefined ? {} : { errors }),
    allowedActions: allowedActions(situation),
  });

/**
 * Checks that a return allows a command in its current state. Service rules do not block a platform fact: the caller
 * records the rules that `ruleDiscrepancies` lists.
 *
 * @param waived the blocker that the command itself waives
 */
export const checkTransition = (situation: Situation, command: Command, waived?: Blocker['code']): Result<null> => {
  const { state, admin, now, observed } = situation;
  const isWaived = ({ code }: Blocker) => code === waived || (observed !== undefined && serviceRules.has(code));
  const blocker = blockerOf(state, command, isWaived);
  if (blocker !== undefined) return failBlocked(situation, blocker);
  if (requiredScope(state, command, now) === 'returns:admin' && !admin) {
    const when = command === 'expire' ? 'Before the deadline' : `While the return is ${state.status}`;
    return fail({ code: 'insufficient_scope', detail: `${when}, ${command} needs the scope returns:admin.` });
  }
  return ok(null);
};

/** Returns the discrepancy events for the service rules that a platform fact breaks. */
export const ruleDiscrepancies = (situation: Situation, command: Command, waived?: Blocker['code']) =>
  discrepancyEvents(
    situation,
    brokenRules(situation.state, command).filter(({ code }) => code !== waived),
  );
