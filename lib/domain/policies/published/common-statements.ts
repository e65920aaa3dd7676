import { canonicalJson } from '../../returns/history/canonical-json.ts';
import { isFeeAtMost, isWindowAtLeast } from './choices.ts';
import type { Omission, PublishedPolicy, Statement } from './statement.ts';

/** Returns items without repetition, in their order. */
export const unique = <Item extends object>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [canonicalJson(item), item])).values(),
];

const isEqual = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);

/** Returns whether a statement of another policy gives the customer at least as much, for everything that the stated one covers. */
const isAtLeast = (other: Statement, stated: Statement): boolean => {
  if (!isEqual(other.when, stated.when) || !isEqual(other.except, stated.except)) return false;
  if (other.kind === 'window' && stated.kind === 'window') return isWindowAtLeast(other.window, stated.window);
  if (other.kind === 'fee' && stated.kind === 'fee')
    return other.fee.type === stated.fee.type && isFeeAtMost(other.fee, stated.fee);
  if (other.kind === 'resolutions' && stated.kind === 'resolutions')
    return stated.resolutions.every((resolution) => other.resolutions.includes(resolution));
  return isEqual(other, stated);
};

const isRestriction = ({ kind }: Statement): boolean => kind === 'exclusion' || kind === 'requirement';

/** Returns the statements of a policy that hold under another one too. */
const bothSaid = (policy: PublishedPolicy, other: PublishedPolicy): PublishedPolicy => {
  const kept = policy.statements.filter(
    (stated) => stated.kind !== 'examination' && other.statements.some((also) => isAtLeast(also, stated)),
  );
  const added = other.statements.filter(
    (statement) => isRestriction(statement) && !policy.statements.some((stated) => isEqual(stated, statement)),
  );
  const lost = policy.statements.filter((stated) => stated.kind !== 'examination' && !kept.includes(stated));
  const examinations = [...policy.statements, ...other.statements].filter(({ kind }) => kind === 'examination');
  const isEach =
    examinations.length === 2 &&
    examinations.every((examination) => isEqual(examination, { kind: 'examination', of: 'each' }));
  const mayBeExamined = examinations.length > 0 || added.length > 0 || lost.some(isRestriction);
  const differences = [...lost, ...added].map(({ kind }): Omission => ({ kind, why: 'differs' }));
  return {
    statements: [...kept, ...(mayBeExamined ? [{ kind: 'examination', of: isEach ? 'each' : 'single' } as const] : [])],
    omitted: unique([...policy.omitted, ...other.omitted, ...differences]),
  };
};

/** What a text says for orders to which no policy may apply. */
const nothingSaid: PublishedPolicy = {
  statements: [],
  omitted: (['window', 'exclusion', 'resolutions', 'fee'] as const).map((kind) => ({ kind, why: 'no_policy' })),
};

/**
 * Returns the statements that hold whichever of several policies decides.
 *
 * @param policies the least specific first: its statements are the ones that remain
 */
export const commonStatements = ([first, ...others]: readonly PublishedPolicy[]): PublishedPolicy =>
  first === undefined ? nothingSaid : others.reduce(bothSaid, first);
