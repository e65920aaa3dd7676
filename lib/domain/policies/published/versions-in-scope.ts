import type { Instant } from '../../returns/model/order.ts';
import { type Catalogue, everDecides, isInForce, type PublishedVersion } from '../lifecycle/catalogue.ts';
import { type Candidate, selectionFactsOf, selects, specificity } from '../lifecycle/in-force.ts';
import { compareInstants } from '../time/calendar.ts';
import type { TextScope } from './scope.ts';

type Version = Candidate & { readonly published: PublishedVersion };

/** Returns whether selectors match an order of a scope, whose segment, market and seller may be any. */
const maySelect = ({ selectors = {} }: PublishedVersion, { country, channel }: TextScope): boolean =>
  selectors.countries?.includes(country) !== false &&
  (channel === undefined || selectors.channels?.includes(channel) !== false);

const isInPeriod = ({ effectiveFrom, effectiveUntil }: PublishedVersion, { from, to }: TextScope): boolean =>
  compareInstants(effectiveFrom, to) <= 0 &&
  (effectiveUntil === undefined || compareInstants(from, effectiveUntil) < 0);

const highest = (versions: readonly Version[]): number =>
  Math.max(-1, ...versions.map(({ published }) => specificity(published.selectors)));

const isAtLeast = ({ published }: Version, minimum: number): boolean => specificity(published.selectors) >= minimum;

/**
 * Returns the versions that may decide an order of a scope, the least specific first. Present favorable versions follow:
 * they may decide orders from before them. The result is empty when no policy may apply to an order.
 *
 * @param now the present time: later requests may be decided by versions that do not exist yet
 */
export const versionsInScope = ({ policies }: Catalogue, scope: TextScope, now: Instant): readonly Candidate[] => {
  const { country, channel, from, to } = scope;
  const versions = policies.flatMap(({ id, published }) =>
    published
      .filter((version) => everDecides(version) && maySelect(version, scope))
      .map((version): Version => ({ policyId: id, version: version.version, published: version })),
  );
  const known = selectionFactsOf({ country, channel, segment: undefined, market: undefined, seller: undefined });
  const certain = versions.filter(({ published }) => selects(published.selectors, known));
  const changes = versions
    .flatMap(({ published }) => [published.effectiveFrom, published.effectiveUntil ?? to])
    .filter((at) => compareInstants(at, from) > 0 && compareInstants(at, to) <= 0);
  // A less specific version never precedes a certain one.
  const leastAt = (at: Instant) => highest(certain.filter(({ published }) => isInForce(published, at)));
  const least = Math.min(...[from, ...changes].map(leastAt));
  if (least < 0) return [];
  const original = versions
    .filter((version) => isInPeriod(version.published, scope) && isAtLeast(version, least))
    .toSorted((a, b) => specificity(a.published.selectors) - specificity(b.published.selectors));
  const better = versions.filter(
    (version) =>
      version.published.favorable === true &&
      isInForce(version.published, now) &&
      isAtLeast(version, leastAt(now)) &&
      !original.includes(version),
  );
  return [...original, ...better].map(({ policyId, version }) => ({ policyId, version }));
};
