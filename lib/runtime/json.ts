export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses JSON; undefined for invalid JSON. It drops the message of the parser, which quotes the text: that may be a
 * secret or personal data.
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

/** Parses a JSON object; undefined for any other text. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};

/** JSON that is passed through byte by byte, without parsing or formatting. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value as JSON. */
export const jsonText = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value));
