import type { Condition } from '../condition.ts';
import type { Policy } from '../policy.ts';
import type { Finding } from './finding.ts';
import type { Comparison } from './literal.ts';

type Words = { readonly code: Finding['code']; readonly known: ReadonlySet<string> | undefined; readonly what: string };

const wordsByFact = (policy: Policy, reasons: ReadonlySet<string>): ReadonlyMap<string, Words> => {
  const categories: Words = {
    code: 'unknown_category',
    known: policy.categories && new Set(policy.categories),
    what: 'a category of this policy',
  };
  const reason: Words = { code: 'unknown_reason', known: reasons, what: 'a reason that a line may have' };
  const groups = new Set([...reasons].flatMap((code) => code.split('.').slice(0, 1)));
  return new Map([
    ['line.categories', categories],
    ['return.categories', categories],
    ['line.reason', reason],
    ['return.reasons', reason],
    ['line.reasonGroup', { code: 'unknown_reason', known: groups, what: 'a group of reasons' }],
    [
      'customer.lists',
      { code: 'unknown_list', known: new Set(Object.keys(policy.lists ?? {})), what: 'a list of this policy' },
    ],
  ]);
};

type Place = readonly [Comparison, string];

const comparisonsIn = (condition: Condition, path: string): readonly Place[] => {
  if ('fact' in condition) return [[condition, path]];
  if ('use' in condition) return [];
  if ('not' in condition) return comparisonsIn(condition.not, `${path}/not`);
  const [parts, join] = 'and' in condition ? [condition.and, 'and'] : [condition.or, 'or'];
  return parts.flatMap((part, index) => comparisonsIn(part, `${path}/${join}/${index}`));
};

const wordsIn = ({ value }: Comparison): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[value, '']];
  if (typeof value !== 'object') return [];
  return value.flatMap((word, index) => (typeof word === 'string' ? [[word, `/${index}`] as const] : []));
};

/** Categories, reasons and lists that conditions name and that there are not: what asks for them waits in vain. */
export const unknownWords = (policy: Policy, reasons: ReadonlySet<string>): readonly Finding[] => {
  const words = wordsByFact(policy, reasons);
  const places = [
    ...Object.entries(policy.conditions ?? {}).flatMap(([name, condition]) =>
      comparisonsIn(condition, `/conditions/${name}`).map(([comparison, path]) => ({ comparison, path, rules: {} })),
    ),
    ...policy.rules.flatMap(({ id, when }, index) =>
      (when === undefined ? [] : comparisonsIn(when, `/rules/${index}/when`)).map(([comparison, path]) => ({
        comparison,
        path,
        rules: { rules: [id] },
      })),
    ),
  ];
  return places.flatMap(({ comparison, path, rules }) => {
    const { code, known, what } = words.get(comparison.fact) ?? {};
    if (code === undefined || known === undefined) return [];
    return wordsIn(comparison)
      .filter(([word]) => !known.has(word))
      .map(
        ([, at]): Finding => ({
          code,
          severity: 'error',
          path: `${path}/value${at}`,
          message: `must be ${what}`,
          ...rules,
        }),
      );
  });
};
