/** What a fact, or what it is held against, can be. Instants are text in RFC 3339. */
export type Value = string | number | boolean;

/**
 * A condition over facts, as data. What is missing is unknown, and so is all that rests on it (Kleene): `and` of false and
 * unknown is false, `or` of true and unknown is true. `exists` alone is never unknown.
 */
export type Condition =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  /** A condition of the policy by its name. */
  | { readonly use: string }
  | { readonly fact: string; readonly op: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Value }
  | {
      readonly fact: string;
      readonly op: 'in' | 'notIn' | 'hasAny' | 'hasAll';
      readonly value: readonly (string | number)[];
    }
  /** Both ends belong to it. */
  | { readonly fact: string; readonly op: 'between'; readonly value: readonly [Value, Value] }
  | { readonly fact: string; readonly op: 'exists'; readonly value: boolean }
  /** An instant no more than so many times 24 hours before the request. */
  | { readonly fact: string; readonly op: 'withinDays'; readonly value: number };
