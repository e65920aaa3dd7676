import type { Facts } from '../facts.ts';
import type { Selectors } from '../policy.ts';
import { selectedBy, selects, specificity } from '../life/selection.ts';

/**
 * Whether a draft would decide what a version decided: it must be for the order, and either be of the same policy or
 * narrower than the one that decided. Whether a third policy would go before both is not looked at.
 *
 * @param decided the policy that decided, and what the version of then selected
 * @param draft the same of the draft
 */
export const wouldDecide = (
  { order, customer }: Facts,
  decided: { readonly policyId: string; readonly selectors?: Selectors | undefined },
  draft: { readonly policyId: string; readonly selectors?: Selectors | undefined },
): boolean => {
  const { country, channel, market, seller } = order;
  const selected = selectedBy({ country, channel, market, seller, segment: customer.segment });
  return (
    selects(draft.selectors, selected) &&
    (draft.policyId === decided.policyId || specificity(draft.selectors) > specificity(decided.selectors))
  );
};
