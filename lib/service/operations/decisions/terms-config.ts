import termsFiles from '#contract/terms-files.json' with { type: 'json' };
import { type Claim, withdrawableLines } from '../../../domain/policies/law/rights.ts';
import { raiseToLawOfAdded, withStatutoryFloor } from '../../../domain/policies/law/statutory-floor.ts';
import { type StatutoryRule, statutoryRules } from '../../../domain/policies/law/statutory-rules.ts';
import { versionName } from '../../../domain/policies/lifecycle/in-force.ts';
import { policyTerms, defaultTerms } from '../../../domain/policies/terms/policy-terms.ts';
import { parseTerms } from '../../../domain/policies/terms/parse-terms.ts';
import type { Instant, Order } from '../../../domain/returns/model/order.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import type { Terms } from '../../../domain/returns/model/terms.ts';
import { configured } from '../../../runtime/container.ts';
import { suggestion } from '../../../runtime/nearest.ts';
import type { PolicyDecision } from './policy-decision.ts';

/** Lambda limits all variables of a function to 4 KB. */
const maxTermsBytes = 2_048;

/** Returns the terms as JSON, from the variable or from the file that it names. */
const termsText = (value: string): string => {
  if (value.endsWith('.json')) {
    const files: Readonly<Record<string, unknown>> = termsFiles;
    if (Object.hasOwn(files, value)) return JSON.stringify(files[value]);
    const names = Object.keys(files);
    const known = names.length === 0 ? 'the directory has none' : `the files are ${names.join(', ')}`;
    const meant = suggestion(value, names);
    throw new Error(`names no file in lib/tools/deploy/terms; ${known}${meant === '' ? '' : `.${meant}`}`);
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > maxTermsBytes)
    throw new Error(
      `has ${bytes} bytes, and the maximum is ${maxTermsBytes}: store the terms in lib/tools/deploy/terms/<name>.json, and set <name>.json`,
    );
  return value;
};

/**
 * Returns the terms and statutory rules of new returns (standalone mode).
 * `RETURN_TERMS` changes the default terms. It is JSON, or the name of a file in lib/tools/deploy/terms.
 */
export const termsConfig = () => {
  try {
    return parseTerms({ terms: defaultTerms, statutoryRules }, termsText(process.env['RETURN_TERMS'] || '{}'));
  } catch (error) {
    throw new Error(`environment variable RETURN_TERMS: ${error instanceof Error ? error.message : 'wrong'}`, {
      cause: error,
    });
  }
};

const config = configured(termsConfig);

/** Returns the statutory rules of the deployment. */
export const statutoryRulesInForce = (): readonly StatutoryRule[] => config().statutoryRules;

/** Returns the terms of a return to which units are added: its own, raised to the law of the added units. */
export const termsWithAdded = (
  { lines, terms }: Pick<Return, 'lines' | 'terms'>,
  order: Order,
  claim: Claim,
  now: Instant,
) => {
  const {
    terms: { floor: configured },
    statutoryRules,
  } = config();
  const own = lines.map(({ orderLineId }) => orderLineId);
  return raiseToLawOfAdded(statutoryRules, { terms, own }, { order, claim, configured }, now);
};

/** The terms of a new return, and the order lines that its declared withdrawal covers by law. */
type RequestTerms = { readonly terms: Terms; readonly withdrawable: ReadonlySet<string> };

/**
 * Returns the terms of a request: those of its policy or else of the deployment, raised to the floor.
 *
 * @param policyDecision undefined when no policy applies to the order
 * @param now the time of the request, when no quote has an earlier one
 * @param lineIds the ids of the lines of the return, in the order of the request
 */
export const termsForRequest = (
  policyDecision: PolicyDecision | undefined,
  order: Order,
  claim: Claim,
  now: Instant,
  lineIds: readonly string[],
): RequestTerms => {
  const { terms: defaults, statutoryRules } = config();
  const chosen =
    policyDecision === undefined
      ? defaults
      : policyTerms(defaults, policyDecision.evaluation, versionName(policyDecision), lineIds);
  const at = policyDecision?.facts.requestedAt ?? now;
  return {
    terms: withStatutoryFloor(statutoryRules, chosen, order, claim, at),
    withdrawable: withdrawableLines(statutoryRules, order, claim, at),
  };
};
