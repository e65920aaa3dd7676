import type { FieldError } from '../../returns/model/status.ts';
import { isOfLine } from '../fact-catalogue.ts';
import { maxDepth, maxNodes } from './condition.ts';
import { isMembers, isName, type Members, pointerStep } from './shape.ts';

/** A condition and its place, and whether it may ask for facts of one line. */
export type PlacedCondition = { readonly condition: unknown; readonly path: string; readonly isPerLine: boolean };

/** What a condition comes to with all that it uses. */
type ConditionSize = { readonly depth: number; readonly nodes: number; readonly lineFact: string | undefined };

const leafSize: ConditionSize = { depth: 1, nodes: 1, lineFact: undefined };

type InnerCondition = readonly [string, unknown];

const innerList = (join: string, list: readonly unknown[]): readonly InnerCondition[] =>
  list.map((inner, index) => [`/${join}/${index}`, inner]);

/** The conditions right inside of another, by the steps that lead there. */
const innerConditions = ({ and, or, not }: Members): readonly InnerCondition[] => {
  if (Array.isArray(and)) return innerList('and', and);
  if (Array.isArray(or)) return innerList('or', or);
  return not === undefined ? [] : [['/not', not]];
};

function* usesIn(condition: unknown, path: string, depth = 1): Iterable<readonly [string, string]> {
  if (!isMembers(condition) || depth > maxDepth) return;
  const { use } = condition;
  if (typeof use === 'string') yield [use, `${path}/use`];
  for (const [to, inner] of innerConditions(condition)) yield* usesIn(inner, path + to, depth + 1);
}

/** The names that each name leads to, over any number of uses. */
const reachableNames = (named: ReadonlyMap<string, unknown>): ReadonlyMap<string, ReadonlySet<string>> => {
  const direct = new Map(
    [...named].map(([name, condition]) => {
      const uses = [...usesIn(condition, '')].map(([use]) => use);
      return [name, new Set(uses.filter((use) => named.has(use)))];
    }),
  );
  return new Map(
    [...direct].map(([name, uses]) => {
      // A set is walked to its end with all that is added on the way.
      const all = new Set(uses);
      for (const use of all) for (const next of direct.get(use) ?? []) all.add(next);
      return [name, all];
    }),
  );
};

/** Measures conditions, each named one once: what uses a condition twice is counted twice and never followed twice. */
const sizeMeasurer = (named: ReadonlyMap<string, unknown>): ((condition: unknown) => ConditionSize) => {
  const known = new Map<string, ConditionSize>();
  const measureNamed = (name: string): ConditionSize => {
    const before = known.get(name);
    if (before !== undefined) return before;
    // It stands for itself while it is measured, so that a cycle, a fault of its own, comes to an end.
    known.set(name, leafSize);
    const measure = measureOf(named.get(name), 1);
    known.set(name, measure);
    return measure;
  };
  const partsOf = (condition: Members, depth: number): readonly ConditionSize[] =>
    typeof condition['use'] === 'string'
      ? [measureNamed(condition['use'])]
      : innerConditions(condition).map(([, inner]) => measureOf(inner, depth + 1));
  const measureOf = (condition: unknown, depth: number): ConditionSize => {
    if (!isMembers(condition) || depth > maxDepth) return leafSize;
    const { fact } = condition;
    const own = typeof fact === 'string' && isOfLine(fact) ? fact : undefined;
    return partsOf(condition, depth).reduce(
      (whole, part) => ({
        depth: Math.max(whole.depth, part.depth + 1),
        nodes: whole.nodes + part.nodes,
        lineFact: whole.lineFact ?? part.lineFact,
      }),
      { ...leafSize, lineFact: own },
    );
  };
  return (condition) => measureOf(condition, 1);
};

function* sizeErrors({ depth, nodes }: ConditionSize, path: string): Iterable<FieldError> {
  if (depth > maxDepth)
    yield { path, code: 'depth', message: `must have at most ${maxDepth} levels, including used conditions` };
  if (nodes > maxNodes)
    yield {
      path,
      code: 'nodes',
      message: `must have at most ${maxNodes} conditions, including used conditions`,
    };
}

/**
 * Checks the conditions that use others: unknown names, cycles, and conditions that are too deep, too large or about one
 * line when used conditions are included.
 */
export function* useErrors(conditions: Members, rules: readonly PlacedCondition[]): Iterable<FieldError> {
  const named = new Map(Object.entries(conditions).filter(([name]) => isName(name)));
  const reach = reachableNames(named);
  const measure = sizeMeasurer(named);
  const own = [...named].map(([name, condition]) => ({
    condition,
    path: `/conditions${pointerStep(name)}`,
    isPerLine: true,
    owner: name,
  }));
  for (const { condition, path, isPerLine, owner } of [
    ...own,
    ...rules.map((rule) => ({ ...rule, owner: undefined })),
  ]) {
    for (const [use, at] of usesIn(condition, path)) {
      const lineFact = isPerLine ? undefined : measure({ use }).lineFact;
      if (!named.has(use))
        yield { path: at, code: 'unknown_use', message: 'must be the name of a condition of this policy' };
      else if (owner !== undefined && (use === owner || reach.get(use)?.has(owner)))
        yield { path: at, code: 'cycle', message: 'must not refer back to its own condition' };
      else if (lineFact !== undefined)
        yield {
          path: at,
          code: 'line_fact',
          message: `must not use ${lineFact}: this phase evaluates the whole return`,
        };
    }
    yield* sizeErrors(measure(condition), path);
  }
}
