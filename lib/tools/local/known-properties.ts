/**
 * Checks that an object of the template has no other properties than those that the local stack imitates. A property
 * without an effect here would make a test pass that fails in AWS.
 *
 * @throws {Error} with the path of the first other property
 */
export const assertKnownProperties = (value: object, known: ReadonlySet<string>, path: string): void => {
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`${path}/${unknown}: unknown to the local stack`);
};
