import type { Objection } from './fact.ts';
import type { Line } from '../return.ts';

type Judged = Pick<Line, 'id' | 'eligibility'>;

/** What a policy says against lines that are approved; `pathOf` says where each is named. */
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
            message: `line ${id} needs an override that says why it is approved`,
          },
        ]
      : [],
  );
  return errors.length === 0
    ? []
    : [{ code: 'not_eligible', detail: 'By the policy that decides on this return, lines do not qualify.', errors }];
};

/** Whether a policy speaks against every line: then only an override approves any. */
export const isUnqualified = (lines: readonly Pick<Line, 'eligibility'>[]): boolean =>
  lines.length > 0 && lines.every(({ eligibility }) => eligibility?.verdict === 'ineligible');
