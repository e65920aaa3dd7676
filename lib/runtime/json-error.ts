/*
 * The place of the error in a text that is not JSON (RFC 8259). The parser of the runtime names no place for some
 * errors, and its message quotes the text, which may be personal data.
 */

const space = /[\t\n\r ]*/y;
const plainText = /[ !#-[\]-\u{10ffff}]*/uy;
const escapedLetter = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads a text from its start to its end. The cost is linear. */
const openReader = (text: string) => {
  let at = 0;
  /** Skips what the pattern matches here, and returns whether that is anything. */
  const skip = (pattern: RegExp): boolean => {
    const from = at;
    pattern.lastIndex = at;
    if (pattern.test(text)) at = pattern.lastIndex;
    return at > from;
  };
  /** Skips white space, then this letter if it is the next one. */
  const take = (letter: string): boolean => {
    // Most letters are none: the comparison is cheaper than the pattern.
    if (text.charCodeAt(at) <= 0x20) skip(space);
    if (text[at] !== letter) return false;
    at += 1;
    return true;
  };
  const takeRest = (): boolean => {
    do skip(plainText);
    while (skip(escapedLetter));
    if (text[at] !== '"') return false;
    at += 1;
    return true;
  };
  return {
    place: () => at,
    take,
    takeName: () => take('"') && takeRest() && take(':'),
    takeScalar: () => (take('"') ? takeRest() : skip(scalar)),
  };
};

/** Returns the offset of the first letter that is not JSON; the length of the text when its end is missing. */
const errorOffset = (text: string): number => {
  const { place, take, takeName, takeScalar } = openReader(text);
  /** The letters that end the open objects and lists. */
  const ends: string[] = [];
  for (;;) {
    if (ends.at(-1) === '}' && !takeName()) return place();
    const opened = take('{') ? '}' : take('[') ? ']' : undefined;
    if (opened !== undefined && !take(opened)) {
      ends.push(opened);
      continue;
    }
    if (opened === undefined && !takeScalar()) return place();
    let end = ends.at(-1);
    while (end !== undefined && take(end)) {
      ends.pop();
      end = ends.at(-1);
    }
    // An empty text is never the next letter: only white space is skipped.
    if (!take(end === undefined ? '' : ',')) return place();
  }
};

/** Returns the place at which a text stops to be JSON: `line 3, column 12`. */
export const jsonErrorPlace = (text: string): string => {
  const before = text.slice(0, errorOffset(text));
  const lineStart = before.lastIndexOf('\n') + 1;
  return `line ${before.split('\n').length}, column ${before.length - lineStart + 1}`;
};
