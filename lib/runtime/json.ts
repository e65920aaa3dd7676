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

/** JSON that is only handed on: it goes out as it came in, to the byte, and is neither read nor written anew. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value as JSON. */
export const jsonText = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value));
