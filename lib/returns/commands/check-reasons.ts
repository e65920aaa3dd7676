import { decided, refused, type Decision } from '../failure.ts';
import type { Reasons } from '../rules/reasons.ts';
import type { CreateReturn } from './create-return.ts';

/** What new returns may give, said once: an input has up to 200 lines. */
const listOf = (reasons: Reasons): string =>
  [...reasons.values()]
    .filter(({ active }) => active)
    .map(({ code }) => code)
    .join(', ');

/**
 * Whether the shop has the reasons of a request's lines.
 *
 * @param isFact what a platform told keeps to the platform's own rules: it may give what is not given any more
 */
export const checkReasons = (lines: CreateReturn['lines'], reasons: Reasons, isFact: boolean): Decision<null> => {
  const unknown = lines.flatMap(({ reason: { code } }, index) => {
    const reason = reasons.get(code);
    return reason !== undefined && (reason.active || isFact) ? [] : [index];
  });
  if (unknown.length === 0) return decided(null);
  const errors = unknown.map((index, nth) => ({
    path: `/lines/${index}/reason/code`,
    code: 'unknown',
    message: nth === 0 ? `must be one of ${listOf(reasons)}` : 'must be one of the same',
  }));
  return refused({ code: 'reason_unknown', detail: 'No such reason, or none that is given any more.', errors });
};
