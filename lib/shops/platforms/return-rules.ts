import { type PublishedRules, readReturnRules as shopify } from './shopify/return-rules.ts';

/*
 * The return rules that a shop publishes for its customers. Customers request returns by them at the shop, so they should
 * say the same as the policy here.
 */

/** The platforms whose API has the return rules of a shop as fields. Each reader reads all of them. */
export const returnRulesReaders = { shopify } as const;

/** Returns the rules that hold for customers of a country: several where they depend on more than the country. */
export const rulesForCountry = (rules: readonly PublishedRules[], country: string): readonly PublishedRules[] => {
  const whole = rules.filter(({ countries }) => countries.has(country) || countries.has('*'));
  const inParts = rules.filter((rule) => rule.parts.has(country) && !whole.includes(rule));
  return [...whole, ...inParts, ...(whole.length === 0 ? rules.filter(({ isDefault }) => isDefault) : [])];
};
