import type { Input } from '../../contract/contract.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { returnRulesReaders, rulesForCountry } from '../../shops/platforms/return-rules.ts';
import { type Check, passed, skipped, warning } from '../doctor/check.ts';
import { limiter } from '../doctor/checks/platform-shops.ts';
import { readOperation } from './call-operation.ts';
import type { ShopStage } from './shop-stage.ts';
import { failureCheck, shopLimitMs } from './platform-state.ts';

/* Compares the policy in force with the return rules that the shop publishes. It changes nothing. */

type Value = string | number | boolean;
type RulesDocument = Readonly<Record<string, unknown>>;

/** A field in which the policy and the shop differ, and what that means for customers. */
export type Difference = {
  readonly field: string;
  readonly policy: Value;
  readonly shop: Value;
  readonly meaning: string;
};

/** The policy of a country beside rules that the shop publishes for it. */
export type PolicyComparison = {
  readonly country: string;
  readonly channel?: string;
  readonly date: string;
  /** The name of the rules at the shop; null for those without one. */
  readonly profile: string | null;
  readonly equal: readonly string[];
  readonly differences: readonly Difference[];
  /** Fields that only one side states. */
  readonly notCompared: readonly { readonly field: string; readonly statedBy: 'policy' | 'shop' }[];
  /** Kinds of statements that the fields do not hold, or not wholly. */
  readonly omitted: readonly string[];
};

const isLonger = (days: Value, than: Value): boolean => days === -1 || (than !== -1 && Number(days) > Number(than));

const meanings: Readonly<Record<string, (policy: Value, shop: Value) => string>> = {
  canAcceptReturns: (policy) =>
    policy === true
      ? 'Customers cannot ask the shop for returns that the policy accepts.'
      : 'Customers can ask the shop for returns that the policy excludes.',
  returnWindowDays: (policy, shop) =>
    isLonger(policy, shop)
      ? 'The shop refuses requests in the last days of the policy.'
      : 'The shop promises days in which the policy refuses requests.',
  returnWindowStartingFrom: () => 'The days start at another delivery, so their last days differ.',
  extendWindowToBusinessDay: (policy) =>
    policy === true
      ? 'Only the policy moves a last day to the next working day.'
      : 'Only the shop moves a last day to the next working day.',
};

/** Compares two documents of the same fields. A field that one of them leaves open is no difference. */
export const compareRules = (
  policy: RulesDocument,
  shop: RulesDocument,
): Pick<PolicyComparison, 'equal' | 'differences' | 'notCompared'> => {
  const fields = [...new Set([...Object.keys(policy), ...Object.keys(shop)])];
  const shared = fields.filter((field) => field in policy && field in shop);
  return {
    equal: shared.filter((field) => policy[field] === shop[field]),
    differences: shared.flatMap((field): readonly Difference[] => {
      const ours = policy[field] as Value;
      const theirs = shop[field] as Value;
      const meaning = meanings[field]?.(ours, theirs) ?? 'The two differ.';
      return ours === theirs ? [] : [{ field, policy: ours, shop: theirs, meaning }];
    }),
    notCompared: fields
      .filter((field) => !shared.includes(field))
      .map((field) => ({ field, statedBy: field in policy ? 'policy' : 'shop' })),
  };
};

export type ComparedPlatform = keyof typeof returnRulesReaders;

/** The platforms whose return rules can be compared. */
export const comparedPlatforms = Object.keys(returnRulesReaders) as readonly ComparedPlatform[];

type Scope = Pick<Input<'getPolicyText'>, 'channel' | 'date'> & { readonly countries: readonly string[] };

/**
 * Compares the policy for orders of some countries with what a shop publishes for them now.
 *
 * @returns the row of what cannot be read, or one comparison for each country and rules of the shop
 */
export const comparePolicy = async (
  stage: ShopStage,
  platform: ComparedPlatform,
  source: string,
  { countries, ...scope }: Scope,
): Promise<Result<readonly PolicyComparison[], Check>> => {
  const rules = await returnRulesReaders[platform](source, Date.now() + shopLimitMs);
  if (!rules.ok) return fail(failureCheck('return rules', source, rules.failure));
  const limit = limiter(4);
  const texts = await Promise.all(
    countries.map(async (country) =>
      limit(async () => readOperation(stage.functions, 'getPolicyText', { ...scope, country, format: platform })),
    ),
  );
  const comparisons: PolicyComparison[] = [];
  for (const text of texts) {
    if (!text.ok)
      return fail({ check: 'policy', status: 'failed', detail: text.failure, remedy: 'Check country and date.' });
    const { country, channel, date, formats } = text.value;
    const { document = {}, omitted = [] } = formats[platform] ?? {};
    const published = rulesForCountry(rules.value, country);
    // A shop without rules for the country states nothing, which a row must say.
    for (const { name, document: shop } of published.length === 0 ? [{ name: null, document: {} }] : published)
      comparisons.push({
        country,
        ...(channel !== undefined && { channel }),
        date,
        profile: name,
        ...compareRules(document, shop),
        omitted,
      });
  }
  return ok(comparisons);
};

/** Returns the rows of a comparison: its differences, or that there is none, and what was not compared. */
export const comparisonChecks = (comparison: PolicyComparison): readonly Check[] => {
  const { country, profile, equal, differences, notCompared, omitted } = comparison;
  const name = profile === null ? country : `${country} ${profile}`;
  const open = [
    ...notCompared.map(({ field, statedBy }) => `${field} (only the ${statedBy} states it)`),
    ...(omitted.length === 0 ? [] : [`statements without a field at the shop: ${omitted.join(', ')}`]),
  ];
  return [
    ...differences.map(({ field, policy, shop, meaning }) =>
      warning(name, `${field}: policy ${policy}, shop ${shop}`, meaning),
    ),
    ...(differences.length === 0 && equal.length > 0 ? [passed(name, `the same: ${equal.join(', ')}`)] : []),
    ...(open.length === 0 ? [] : skipped([name], `not compared: ${open.join('; ')}`)),
  ];
};
