import fc, { type Arbitrary } from 'fast-check';
import type { Condition } from '../../../../lib/domain/policies/policy.ts';
import {
  conductNumbers,
  flags,
  instantsOfPolicies,
  lineFlags,
  lineNumbers,
  lineTextLists,
  lineTexts,
  lineTimes,
  numbers,
  textLists,
  texts,
  times,
} from './vocabulary.ts';

/** The facts that a condition may name: those of the whole return, or also those of one line. */
export type Scope = 'whole' | 'line';

type Vocabulary<Item> = Readonly<Record<string, readonly Item[]>>;

const one = <Item>(items: readonly Item[]): Arbitrary<Item> => fc.constantFrom(...items);
const some = <Item>(items: readonly Item[]): Arbitrary<Item[]> => fc.subarray([...items], { minLength: 1 });
const ordered = (a: string | number, b: string | number): boolean =>
  typeof a === 'number' ? a <= Number(b) : Date.parse(a) <= Date.parse(String(b));

const oneOfEach = <Item>(
  vocabulary: Vocabulary<Item>,
  make: (fact: string, items: readonly Item[]) => Arbitrary<Condition>,
) => fc.oneof(...Object.entries(vocabulary).map(([fact, items]) => make(fact, items)));

const range = (fact: string, items: readonly (string | number)[]): Arbitrary<Condition> =>
  fc.oneof(
    fc.record({
      fact: fc.constant(fact),
      op: one(['eq', 'neq', 'lt', 'lte', 'gt', 'gte'] as const),
      value: one(items),
    }),
    fc
      .tuple(one(items), one(items))
      .map(([a, b]): Condition => ({ fact, op: 'between', value: ordered(a, b) ? [a, b] : [b, a] })),
  );

const oneOrSome = (fact: string, items: readonly (string | number)[]): Arbitrary<Condition> =>
  fc.oneof(
    fc.record({ fact: fc.constant(fact), op: one(['eq', 'neq'] as const), value: one(items) }),
    fc.record({ fact: fc.constant(fact), op: one(['in', 'notIn'] as const), value: some(items) }),
  );

const ofFlag = (fact: string): Arbitrary<Condition> =>
  fc.record({ fact: fc.constant(fact), op: one(['eq', 'neq'] as const), value: fc.boolean() });

const ofTime = (fact: string): Arbitrary<Condition> =>
  fc.oneof(
    range(fact, instantsOfPolicies),
    fc.record({
      fact: fc.constant(fact),
      op: fc.constant('withinDays' as const),
      value: fc.oneof(one([0, 1, 14, 30, 3_650]), fc.nat(60)),
    }),
  );

const ofList = (fact: string, items: readonly string[]): Arbitrary<Condition> =>
  fc.record({ fact: fc.constant(fact), op: one(['hasAny', 'hasAll'] as const), value: some(items) });

const leaves = (scope: Scope): Arbitrary<Condition> => {
  const ofLine = scope === 'line';
  const all = <Item>(whole: Vocabulary<Item>, line: Vocabulary<Item>) => (ofLine ? { ...whole, ...line } : whole);
  const names = [
    ...[texts, numbers, textLists].flatMap((vocabulary) => Object.keys(vocabulary)),
    ...flags,
    ...times,
    ...(ofLine ? [lineTexts, lineNumbers, lineTextLists].flatMap((vocabulary) => Object.keys(vocabulary)) : []),
    ...(ofLine ? [...lineFlags, ...lineTimes] : []),
  ];
  return fc.oneof(
    { weight: 4, arbitrary: oneOfEach<string | number>(all(texts, lineTexts), oneOrSome) },
    {
      weight: 2,
      arbitrary: oneOfEach(all(numbers, lineNumbers), (fact, items) =>
        fc.oneof(range(fact, items), oneOrSome(fact, items)),
      ),
    },
    { weight: 1, arbitrary: fc.oneof(...[...flags, ...(ofLine ? lineFlags : [])].map(ofFlag)) },
    { weight: 2, arbitrary: fc.oneof(...[...times, ...(ofLine ? lineTimes : [])].map(ofTime)) },
    { weight: 2, arbitrary: oneOfEach(all(textLists, lineTextLists), ofList) },
    {
      weight: 1,
      arbitrary: fc.record({ fact: one(names), op: fc.constant('exists' as const), value: fc.boolean() }),
    },
  );
};

/** The names of conditions. Only line rules may use those of a line. */
const conditionNames = {
  whole: ['from_abroad', 'frequent'],
  line: ['worn', 'late', 'dear'],
} as const satisfies Record<Scope, readonly string[]>;

const within = (leaf: Arbitrary<Condition>): Arbitrary<Condition> => {
  const flat = fc.oneof(
    { weight: 5, arbitrary: leaf },
    { weight: 1, arbitrary: leaf.map((not) => ({ not })) },
    { weight: 2, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((and) => ({ and })) },
    { weight: 1, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((or) => ({ or })) },
  );
  const pair = fc.array(flat, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 7, arbitrary: flat },
    { weight: 1, arbitrary: pair.map((and) => ({ and })) },
    { weight: 1, arbitrary: pair.map((or) => ({ or })) },
    { weight: 1, arbitrary: pair.map((or) => ({ not: { or } })) },
  );
};

const own = { whole: within(leaves('whole')), line: within(leaves('line')) };

/** Returns named conditions. The first of a scope uses facts alone, and each other may use the earlier ones. */
const chain = (scope: Scope): Arbitrary<Record<string, Condition>> => {
  const names: readonly string[] = conditionNames[scope];
  const using = (at: number): Arbitrary<Condition> => {
    const before = names[at - 1];
    if (before === undefined) return own[scope];
    return fc.oneof(
      own[scope],
      own[scope].map((or): Condition => ({ or: [or, { use: before }] })),
      own[scope].map((and): Condition => ({ and: [{ not: { use: before } }, and] })),
    );
  };
  return fc.record(Object.fromEntries(names.map((name, at) => [name, using(at)])));
};

/** Conditions by name, of both scopes. */
export const namedConditions: Arbitrary<Record<string, Condition>> = fc
  .tuple(chain('whole'), chain('line'))
  .map(([whole, line]) => ({ ...whole, ...line }));

const mayUse = (scope: Scope): Arbitrary<Condition> => {
  const names: readonly string[] = scope === 'line' ? Object.values(conditionNames).flat() : conditionNames.whole;
  const use = one(names).map((name): Condition => ({ use: name }));
  return fc.oneof(
    { weight: 8, arbitrary: own[scope] },
    { weight: 1, arbitrary: use },
    { weight: 1, arbitrary: fc.tuple(use, own[scope]).map((and) => ({ and })) },
  );
};

/** Conditions of rules, by scope. */
export const conditions = { whole: mayUse('whole'), line: mayUse('line') };

const conduct = oneOfEach(conductNumbers, (fact, items) => range(fact, items));

/** Conditions on the conduct of the customer, alone or with other facts of the return. */
export const conductConditions: Arbitrary<Condition> = fc.oneof(
  conduct,
  fc.tuple(conduct, own.whole).map((and) => ({ and })),
  fc.tuple(conduct, own.whole).map((or) => ({ or })),
);
