import { isRecord } from '../../../api/record.ts';
import { type Document, isSame, listOf, type Members, withField } from './document.ts';

/** A part of a document that is merged as a whole: a rule, or another field. */
export type Part = { readonly kind: 'rule' | 'field'; readonly name: string };

export type Side = 'mine' | 'theirs';

/** A part that differs between two documents which were made from the same one. */
export type Difference = Part & {
  readonly key: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** The side that changed the part. `both`: the person has to choose. */
  readonly changedBy: Side | 'both';
};

const nameOf = (rule: unknown, index: number): string =>
  isRecord(rule) && typeof rule['id'] === 'string' ? rule['id'] : `#${index + 1}`;

type PlacedPart = Part & { readonly value: unknown };

const partsOf = (document: Document): ReadonlyMap<string, PlacedPart> => {
  const { rules, ...fields } = document;
  const parts: readonly PlacedPart[] = [
    ...Object.entries(fields).map(([name, value]): PlacedPart => ({ kind: 'field', name, value })),
    ...listOf(rules).map((value, index): PlacedPart => ({ kind: 'rule', name: nameOf(value, index), value })),
  ];
  return new Map(parts.map((part) => [`${part.kind} ${part.name}`, part]));
};

/** Returns the parts of two documents that differ. `base` is the document that both were made from. */
export const differencesOf = (base: Document, mine: Document, theirs: Document): readonly Difference[] => {
  const [before, own, other] = [partsOf(base), partsOf(mine), partsOf(theirs)];
  const keys = new Set([...before.keys(), ...own.keys(), ...other.keys()]);
  return [...keys].flatMap((key): Difference[] => {
    const part = own.get(key) ?? other.get(key);
    const values = { base: before.get(key)?.value, mine: own.get(key)?.value, theirs: other.get(key)?.value };
    if (part === undefined || isSame(values.mine, values.theirs)) return [];
    const changedBy = isSame(values.base, values.mine)
      ? 'theirs'
      : isSame(values.base, values.theirs)
        ? 'mine'
        : 'both';
    return [{ kind: part.kind, name: part.name, key, ...values, changedBy }];
  });
};

/** Returns the names of the parts that one document changes in another one. */
export const changedParts = (base: Document, mine: Document): readonly Part[] =>
  differencesOf(base, mine, base).map(({ kind, name }) => ({ kind, name }));

/** Returns the side that a part is taken from, unless the person chooses. */
export const defaultSide = ({ changedBy }: Difference): Side => (changedBy === 'both' ? 'mine' : changedBy);

/** Returns the document with each differing part of the chosen side. The order of the own rules stays. */
export const merge = (
  mine: Document,
  differences: readonly Difference[],
  sideOf: (difference: Difference) => Side,
): Document => {
  const taken = differences.filter((difference) => sideOf(difference) === 'theirs');
  const rulesTaken = new Map(taken.filter(({ kind }) => kind === 'rule').map(({ name, theirs }) => [name, theirs]));
  const present = new Set<string>();
  const own = listOf(mine['rules']).flatMap((rule, index) => {
    const name = nameOf(rule, index);
    present.add(name);
    if (!rulesTaken.has(name)) return [rule];
    const theirs = rulesTaken.get(name);
    return theirs === undefined ? [] : [theirs];
  });
  const added = [...rulesTaken].flatMap(([name, theirs]) =>
    present.has(name) || theirs === undefined ? [] : [theirs],
  );
  const fields = taken.filter(({ kind }) => kind === 'field');
  const merged: Members = fields.reduce<Members>((changed, { name, theirs }) => withField(changed, name, theirs), mine);
  return { ...merged, rules: [...own, ...added] };
};
