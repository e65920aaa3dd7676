import { everDecides, type Catalogue, type Period } from './catalogue.ts';
import type { Selectors } from '../policy.ts';

/** The facts of an order that selectors use. Unknown fields are absent. */
export type SelectionFacts = {
  readonly country?: string;
  readonly channel?: string;
  readonly segment?: string;
  readonly market?: string;
  readonly seller?: string;
};

/** Returns the facts that selectors use, as far as they are known. */
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

/**
 * Returns the number of dimensions that selectors restrict. Of two policies for one order, the more specific one
 * decides.
 */
export const specificity = (selectors: Selectors = {}): number =>
  dimensions.filter(([name]) => selectors[name] !== undefined).length;

/** Returns whether selectors match an order. An unknown fact is in no list. */
export const selects = (selectors: Selectors = {}, order: SelectionFacts): boolean =>
  dimensions.every(([name, fact]) => {
    const [wanted, value] = [selectors[name], order[fact]];
    return wanted === undefined || (value !== undefined && wanted.includes(value));
  });

const haveCommonValue = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === undefined || b === undefined || a.some((value) => b.includes(value));

/** The selectors and the period of a version, published or planned. */
type VersionScope = Period & { readonly selectors?: Selectors };

const periodsOverlap = (a: Period, b: Period): boolean =>
  everDecides(a) &&
  everDecides(b) &&
  (a.effectiveUntil === undefined || b.effectiveFrom < a.effectiveUntil) &&
  (b.effectiveUntil === undefined || a.effectiveFrom < b.effectiveUntil);

/** Returns whether two versions of equal specificity can apply to the same order and time. */
export const overlaps = (a: VersionScope, b: VersionScope): boolean =>
  periodsOverlap(a, b) &&
  specificity(a.selectors) === specificity(b.selectors) &&
  dimensions.every(([name]) => haveCommonValue(a.selectors?.[name], b.selectors?.[name]));

/** Returns the other policies with a version that overlaps, each with the number of that version. */
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
