import { everDecides, type Catalogue, type Period } from './catalogue.ts';
import type { Selectors } from '../policy.ts';

/** What of an order selectors look at. Fields that are not known are not there. */
export type SelectionFacts = {
  readonly country?: string;
  readonly channel?: string;
  readonly segment?: string;
  readonly market?: string;
  readonly seller?: string;
};

/** What selectors look at, as far as it is known. */
export const selectionFactsOf = (order: {
  readonly [Name in keyof SelectionFacts]: string | undefined;
}): SelectionFacts => Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined));

const dimensions = [
  ['countries', 'country'],
  ['channels', 'channel'],
  ['segments', 'segment'],
  ['markets', 'market'],
  ['sellers', 'seller'],
] as const satisfies readonly (readonly [keyof Selectors, keyof SelectionFacts])[];

/** How many dimensions selectors narrow: of two policies for one order the narrower decides. */
export const specificity = (selectors: Selectors = {}): number =>
  dimensions.filter(([name]) => selectors[name] !== undefined).length;

/** Whether selectors let an order in. What is not known of the order is in no list. */
export const selects = (selectors: Selectors = {}, order: SelectionFacts): boolean =>
  dimensions.every(([name, fact]) => {
    const [wanted, value] = [selectors[name], order[fact]];
    return wanted === undefined || (value !== undefined && wanted.includes(value));
  });

const haveCommonValue = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === undefined || b === undefined || a.some((value) => b.includes(value));

/** A version of a policy, or what is to become one. */
type VersionScope = Period & { readonly selectors?: Selectors };

const periodsOverlap = (a: Period, b: Period): boolean =>
  everDecides(a) &&
  everDecides(b) &&
  (a.effectiveUntil === undefined || b.effectiveFrom < a.effectiveUntil) &&
  (b.effectiveUntil === undefined || a.effectiveFrom < b.effectiveUntil);

/** Whether there can be an order and a time for which neither of two versions has to stand back. */
export const overlaps = (a: VersionScope, b: VersionScope): boolean =>
  periodsOverlap(a, b) &&
  specificity(a.selectors) === specificity(b.selectors) &&
  dimensions.every(([name]) => haveCommonValue(a.selectors?.[name], b.selectors?.[name]));

/** The other policies of which a version overlaps with one of this policy, each with that version's number. */
export const overlappingPolicies = (
  { policies }: Catalogue,
  policyId: string,
  claim: VersionScope,
): readonly { readonly id: string; readonly name: string; readonly version: number }[] =>
  policies
    .filter(({ id }) => id !== policyId)
    .flatMap(({ id, name, published }) => {
      const met = published.find((version) => overlaps(version, claim));
      return met === undefined ? [] : [{ id, name, version: met.version }];
    });
