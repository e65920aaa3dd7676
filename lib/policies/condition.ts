/** A value of a fact, or a value to compare it with. Instants are text in RFC 3339. */
export type Value = string | number | boolean;

/**
 * A condition over facts, as data. A missing fact is unknown, and so is each condition that depends on it. The logic is
 * Kleene's: `and` of false and unknown is false, and `or` of true and unknown is true. Only `exists` is never unknown.
 */
export type Condition =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  /** A named condition of the policy. */
  | { readonly use: string }
  | { readonly fact: string; readonly op: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Value }
  | {
      readonly fact: string;
      readonly op: 'in' | 'notIn' | 'hasAny' | 'hasAll';
      readonly value: readonly (string | number)[];
    }
  /** Both ends are inclusive. */
  | { readonly fact: string; readonly op: 'between'; readonly value: readonly [Value, Value] }
  | { readonly fact: string; readonly op: 'exists'; readonly value: boolean }
  /** An instant at most this many times 24 hours before the request. */
  | { readonly fact: string; readonly op: 'withinDays'; readonly value: number };
