import { isSame } from '../../returns/history/canonical-json.ts';
import { isMembers, pointerStep } from '../check/shape.ts';
import type { Policy } from '../policy.ts';

/** A difference at one path. `before` is absent for an addition, and `after` for a removal. */
export type PolicyChange = {
  /** The rule that contains it; absent for the policy itself. */
  readonly rule?: string;
  /** JSON Pointer within the rule or the policy; empty for the whole rule. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Sorted by UTF-16 code units, like all output that must be reproducible byte by byte. */
const sortedNames = (names: Iterable<string>): string[] => [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));

/** Lists the differences between two JSON values, sorted by path, each with its JSON Pointer below a path (RFC 6901). */
export const changesBetween = (before: unknown, after: unknown, path: string): PolicyChange[] => {
  if (before === undefined) return after === undefined ? [] : [{ path, change: 'added', after }];
  if (after === undefined) return [{ path, change: 'removed', before }];
  if (isMembers(before) && isMembers(after))
    return sortedNames([...Object.keys(before), ...Object.keys(after)]).flatMap((name) =>
      changesBetween(
        Object.hasOwn(before, name) ? before[name] : undefined,
        Object.hasOwn(after, name) ? after[name] : undefined,
        path + pointerStep(name),
      ),
    );
  // In lists of different lengths, moved items cannot be identified.
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => changesBetween(item, after[index], `${path}/${index}`));
  return isSame(before, after) ? [] : [{ path, change: 'changed', before, after }];
};

const rulesById = ({ rules }: Policy) => new Map(rules.map((rule) => [rule.id, rule]));

/**
 * Lists the differences between two policies. Those in the policy itself come first, then those by rule, sorted by
 * path. The ids identify rules, and their order does not matter.
 */
export const diffPolicies = (from: Policy, to: Policy): readonly PolicyChange[] => {
  const [{ rules: _, ...before }, { rules: __, ...after }] = [from, to];
  const [known, next] = [rulesById(from), rulesById(to)];
  const ofRules = sortedNames([...known.keys(), ...next.keys()]).flatMap((id) =>
    changesBetween(known.get(id), next.get(id), '').map((change): PolicyChange => ({ rule: id, ...change })),
  );
  return [...changesBetween(before, after, ''), ...ofRules];
};
