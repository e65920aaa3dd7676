import type { FieldError } from '../../returns/model/status.ts';
import { isOfConduct, isOfLine } from '../fact-catalogue.ts';
import { maxDepth, maxNodes } from './condition.ts';
import { isMembers, isName, type Members, pointerStep } from './shape.ts';

/** A condition with its path. `whole` names what may not use facts of one line, and is undefined where they may be used. */
export type PlacedCondition = {
  readonly condition: unknown;
  readonly path: string;
  readonly whole: string | undefined;
  /** Whether it belongs to a rule that may not use facts about the conduct of the customer. */
  readonly isDeciding: boolean;
};

/** The size of a condition, including all conditions that it uses. */
type ConditionSize = {
  readonly depth: number;
  readonly nodes: number;
  readonly lineFact: string | undefined;
  readonly conductFact: string | undefined;
};

const leafSize: ConditionSize = { depth: 1, nodes: 1, lineFact: undefined, conductFact: undefined };

type InnerCondition = readonly [string, unknown];

const innerList = (join: string, list: readonly unknown[]): readonly InnerCondition[] =>
  list.map((inner, index) => [`/${join}/${index}`, inner]);

/** Returns the direct inner conditions of a condition, by their JSON Pointer steps. */
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

/** Returns all names that each name reaches, over any number of uses. */
const reachableNames = (named: ReadonlyMap<string, unknown>): ReadonlyMap<string, ReadonlySet<string>> => {
  const direct = new Map(
    [...named].map(([name, condition]) => {
      const uses = [...usesIn(condition, '')].map(([use]) => use);
      return [name, new Set(uses.filter((use) => named.has(use)))];
    }),
  );
  return new Map(
    [...direct].map(([name, uses]) => {
      // Iteration over a set also covers elements added meanwhile.
      const reached = new Set(uses);
      for (const use of reached) for (const next of direct.get(use) ?? []) reached.add(next);
      return [name, reached];
    }),
  );
};

/** Measures conditions, each named one once. A condition used twice counts twice, but is traversed once. */
const sizeMeasurer = (named: ReadonlyMap<string, unknown>): ((condition: unknown) => ConditionSize) => {
  const known = new Map<string, ConditionSize>();
  const measureNamed = (name: string): ConditionSize => {
    const before = known.get(name);
    if (before !== undefined) return before;
    // The leaf size is a placeholder during the measurement, so that a cycle ends. A cycle is an error of its own.
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
    const ownFact = (isOf: (name: string) => boolean) => (typeof fact === 'string' && isOf(fact) ? fact : undefined);
    return partsOf(condition, depth).reduce(
      (whole, part) => ({
        depth: Math.max(whole.depth, part.depth + 1),
        nodes: whole.nodes + part.nodes,
        lineFact: whole.lineFact ?? part.lineFact,
        conductFact: whole.conductFact ?? part.conductFact,
      }),
      { ...leafSize, lineFact: ownFact(isOfLine), conductFact: ownFact(isOfConduct) },
    );
  };
  return (condition) => measureOf(condition, 1);
};

const conductError = (fact: string, path: string): FieldError => ({
  path,
  code: 'person_required',
  message:
    `must not use ${fact}: only a rule of phase approval with approval manual may use it, ` +
    'because a person decides on the conduct of a customer',
});

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
 * Checks the conditions that use others. Errors are unknown names and cycles. Depth, size, facts of one line and facts
 * about conduct are checked with the used conditions included.
 */
export function* useErrors(conditions: Members, rules: readonly PlacedCondition[]): Iterable<FieldError> {
  const named = new Map(Object.entries(conditions).filter(([name]) => isName(name)));
  const reach = reachableNames(named);
  const measure = sizeMeasurer(named);
  const own = [...named].map(([name, condition]) => ({
    condition,
    path: `/conditions${pointerStep(name)}`,
    whole: undefined,
    isDeciding: false,
    owner: name,
  }));
  const all = [...own, ...rules.map((rule) => ({ ...rule, owner: undefined }))];
  for (const { condition, path, whole, isDeciding, owner } of all) {
    for (const [use, at] of usesIn(condition, path)) {
      const lineFact = whole === undefined ? undefined : measure({ use }).lineFact;
      if (!named.has(use))
        yield { path: at, code: 'unknown_use', message: 'must be the name of a condition of this policy' };
      else if (owner !== undefined && (use === owner || reach.get(use)?.has(owner)))
        yield { path: at, code: 'cycle', message: 'must not refer back to its own condition' };
      else if (lineFact !== undefined)
        yield {
          path: at,
          code: 'line_fact',
          message: `must not use ${lineFact}: ${whole} evaluates the whole return`,
        };
    }
    const size = measure(condition);
    if (isDeciding && size.conductFact !== undefined) yield conductError(size.conductFact, path);
    yield* sizeErrors(size, path);
  }
}
