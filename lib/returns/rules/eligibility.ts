import type { Objection } from './fact.ts';
import type { Fault } from '../failure.ts';
import type { Line } from '../return.ts';

/** Lines that do not qualify, and that an approval took all the same. */
export type Unqualified = { readonly line: Pick<Line, 'id' | 'eligibility'>; readonly path: string };

/** What a policy says against lines that are approved: each needs a reason why it is. */
export const eligibilityObjections = (lines: readonly Unqualified[]): readonly Objection[] => {
  const errors: readonly Fault[] = lines.flatMap(({ line: { id, eligibility }, path }) =>
    eligibility?.verdict === 'ineligible'
      ? [
          {
            path,
            code: eligibility.code,
            message: `line ${id} does not qualify: an override must say why it is approved`,
          },
        ]
      : [],
  );
  return errors.length === 0
    ? []
    : [{ code: 'not_eligible', detail: 'By the policy that decides on this return, lines do not qualify.', errors }];
};

/** Whether a policy speaks against every line that is still to be decided: then only an override approves any. */
export const isUnqualified = (lines: readonly Pick<Line, 'eligibility'>[]): boolean =>
  lines.length > 0 && lines.every(({ eligibility }) => eligibility?.verdict === 'ineligible');
