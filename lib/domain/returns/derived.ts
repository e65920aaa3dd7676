/**
 * Makes a function that computes a value of an object once. The object must never change, as states, orders and lists of
 * the domain do. A command asks for some values about ten times, and each costs a look at all lines of a return.
 *
 * @param compute pure: its result follows from the object alone
 */
export const derived = <Source extends object, Value>(
  compute: (source: Source) => Value,
): ((source: Source) => Value) => {
  // A box, because the value may be undefined.
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const found = known.get(source);
    if (found !== undefined) return found.value;
    const value = compute(source);
    known.set(source, { value });
    return value;
  };
};
