export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What a text says, or undefined when it is not JSON (which can say no undefined). The parser's own message is left
 * behind: it quotes the text, which may be a secret or somebody's words.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a text says, or undefined for anything else. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};

const texts = new WeakMap<object, string>();

/** As parseJson; an object or array remembers the text that it comes from. */
export const parseKeepingText = (text: string): unknown => {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) texts.set(value, text);
  return value;
};

/** A value as JSON: what is only handed on goes out as it came in, to the byte, and is not written anew. */
export const jsonText = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ?? JSON.stringify(value);
