import type { Instant } from '../../returns/model/order.ts';
import { isInForce, type CataloguedPolicy, type PublishedVersion } from './catalogue.ts';

/** A version that has ended, and the one that decides in its place. */
export type Succession = { readonly version: number; readonly by: number; readonly at: Instant };

/** The version that decides once this one does not, if that time has come; one that was archived has no successor. */
const successorOf = (
  { published }: Pick<CataloguedPolicy, 'published'>,
  { version, effectiveUntil, archived }: PublishedVersion,
  now: Instant,
): Succession | undefined => {
  if (effectiveUntil === undefined || effectiveUntil > now || archived !== undefined) return undefined;
  const by = published.find((other) => other.version !== version && isInForce(other, effectiveUntil));
  return by === undefined ? undefined : { version, by: by.version, at: effectiveUntil };
};

/**
 * What has been superseded by now and nobody was told of, in the order of time. A version is superseded when it ends and
 * another one of its policy decides from then on: also one that never began, because another came before it.
 */
export const untoldSuccessions = (policy: CataloguedPolicy, now: Instant): readonly Succession[] =>
  policy.published
    .filter(({ supersededBy }) => supersededBy === undefined)
    .flatMap((version) => successorOf(policy, version, now) ?? [])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));

/** The policy once that was told. */
export const withSuccessions = <Policy extends Pick<CataloguedPolicy, 'published'>>(
  policy: Policy,
  told: readonly Succession[],
): Policy => {
  const byVersion = new Map(told.map(({ version, by }) => [version, by]));
  const published = policy.published.map((one) => {
    const supersededBy = byVersion.get(one.version);
    return supersededBy === undefined ? one : { ...one, supersededBy };
  });
  return { ...policy, published };
};
