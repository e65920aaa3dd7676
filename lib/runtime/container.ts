/*
 * Values that a Lambda container makes once. No module makes one during its import. A test imports modules before it
 * sets an environment, and several test files share the modules of one process.
 */

/** Identifies the container of this process. A test replaces it. */
let container = {};

const readers: (() => unknown)[] = [];

/** Returns a function that makes a value at its first call and returns it at every later call. */
export const perContainer = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value; readonly container: object } | undefined;
  return () => {
    if (cached?.container !== container) cached = { value: make(), container };
    return cached.value;
  };
};

/**
 * Returns a function that reads configuration at its first call. A deployed function reads all configuration of its
 * bundle when it loads, see {@link readConfiguration}.
 */
export const configured = <Value>(read: () => Value): (() => Value) => {
  const value = perContainer(read);
  readers.push(value);
  return value;
};

/**
 * Reads the configuration that the imported modules need. Each bundle calls it when it loads, so that a missing or
 * malformed variable stops the cold start and not the first request.
 *
 * @throws an error that names the variable
 */
export const readConfiguration = (): void => {
  for (const read of readers) read();
};

/** Resets all values, as a new container would. For tests, which change the environment of a process. */
export const startContainer = (): void => {
  container = {};
};
