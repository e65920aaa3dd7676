import type { Objection } from './fact.ts';
import { undecided } from '../goods/quantities.ts';
import type { Line, Return } from '../model/return.ts';
import { isProtected } from './floor.ts';

type Judged = Pick<Line, 'id' | 'eligibility'>;

/** What a policy says against lines that are approved; `pathOf` says where an override of each is given. */
export const eligibilityObjections = (
  approved: readonly Judged[],
  pathOf: (lineId: string) => string,
): readonly Objection[] => {
  const errors = approved.flatMap(({ id, eligibility }) =>
    eligibility?.verdict === 'ineligible'
      ? [
          {
            path: pathOf(id),
            code: eligibility.code,
            message: `must say why line ${id} is approved all the same; an override needs the scope returns:admin`,
          },
        ]
      : [],
  );
  return errors.length === 0
    ? []
    : [{ code: 'not_eligible', detail: 'By the policy that decides on this return, lines do not qualify.', errors }];
};

/**
 * Whether only an override approves any of what is open: a policy speaks against all of it, or against a line that no
 * approval of the others may reject.
 */
export const needsOverride = ({ lines, terms: { floor } }: Pick<Return, 'lines' | 'terms'>): boolean => {
  const open = lines.filter(({ quantities }) => undecided(quantities) > 0);
  const against = open.filter(({ eligibility }) => eligibility?.verdict === 'ineligible');
  return (
    (open.length > 0 && against.length === open.length) ||
    (floor !== null && against.some(({ orderLineId }) => isProtected(floor, orderLineId)))
  );
};
