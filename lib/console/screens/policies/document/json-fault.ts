/* The place of a fault in JSON. The errors of JSON.parse have no place in some engines. */

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;

/** Returns what may follow a token, or undefined if the token may not be there. */
const next = (expected: Expected, symbol: string, open: string[]): Expected | undefined => {
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  const isValue = expected === 'value' || expected === 'value or end';
  switch (symbol) {
    case '{':
    case '[':
      if (!isValue) return undefined;
      open.push(symbol);
      return symbol === '{' ? 'name or end' : 'value or end';
    case '}':
    case ']': {
      const ends = expected === 'comma or end' || expected === (symbol === '}' ? 'name or end' : 'value or end');
      return ends && open.pop() === (symbol === '}' ? '{' : '[') ? after() : undefined;
    }
    case ',':
      if (expected !== 'comma or end') return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case 'text':
      if (expected === 'name' || expected === 'name or end') return 'colon';
      return isValue ? after() : undefined;
    default:
      return isValue ? after() : undefined;
  }
};

/** Returns the line of the first fault in a text that is not valid JSON, from 1. */
export const faultLine = (text: string): number => {
  const open: string[] = [];
  let [expected, at]: [Expected, number] = ['value', 0];
  for (;;) {
    token.lastIndex = at;
    const found = token.exec(text);
    const symbol = found === null ? undefined : (found[1] ?? (found[2] === undefined ? 'other' : 'text'));
    const following: Expected | undefined = symbol === undefined ? undefined : next(expected, symbol, open);
    if (found === null || following === undefined) break;
    expected = following;
    at = token.lastIndex;
  }
  const rest = text.slice(at);
  const blank = rest.length - rest.trimStart().length;
  return text.slice(0, at + blank).split('\n').length;
};
