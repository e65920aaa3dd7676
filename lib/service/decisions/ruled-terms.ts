import { termsConfig } from './terms-config.ts';
import { configured } from '../../runtime/container.ts';
import type { Claim } from '../../policies/law/rights.ts';
import { termsOf } from '../../policies/law/statutory-floor.ts';
import { decidedTerms } from '../../policies/terms/decided-terms.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import type { Terms } from '../../returns/model/terms.ts';
import { versionName } from '../../policies/life/version-name.ts';
import type { Ruling } from './ruling.ts';

const config = configured(termsConfig);

/**
 * The terms of a request: those of the deployment, as far as a policy says nothing else, raised to what the law gives.
 *
 * @param ruling undefined where no policy is for the order
 * @param now when it is asked for, where no quote has promised an earlier time
 */
export const ruledTerms = (ruling: Ruling | undefined, order: Order, claim: Claim, now: Instant): Terms => {
  const { terms: defaults, statutoryRules } = config();
  const chosen = ruling === undefined ? defaults : decidedTerms(defaults, ruling.evaluation, versionName(ruling));
  return termsOf(statutoryRules, chosen, order, claim, ruling?.facts.requestedAt ?? now);
};
