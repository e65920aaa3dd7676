/* A description is hostile input. These limits are far above real descriptions. */

/** The largest file, in bytes. */
export const maxBytes = 5_000_000;
/** The most lexical tokens of YAML. Its parser needs about 300 bytes for each. */
export const maxTokens = 3_000_000;
/** The most anchors and aliases of YAML. The time of its parser grows with their square. */
export const maxAliases = 1_000;
/** The deepest nesting of values. */
export const maxDepth = 100;
/** The most values, where each use of a YAML alias counts. */
export const maxValues = 1_000_000;
/** The most references in a row. */
export const maxHops = 50;
/** The most types in service.ts. */
export const maxTypes = 2_000;
/** The most words of an enumeration in service.ts. */
export const maxWords = 500;
/** The most requests that are listed, and have types, when none is about returns. */
export const maxListed = 20;
/** The longest time for a description. */
export const maxSeconds = 120;
