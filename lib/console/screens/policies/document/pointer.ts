/** Returns the steps of a JSON Pointer (RFC 6901). */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns a pointer without the step that names the document in bodies of requests. */
export const inDocument = (pointer: string): string =>
  pointer === '/document' || pointer.startsWith('/document/') ? pointer.slice('/document'.length) : pointer;

/** Returns the index of the rule that a pointer leads to, and the path within the rule. */
export const ruleOfPointer = (pointer: string): { readonly index: number; readonly path: string } | undefined => {
  const found = /^\/rules\/(\d+)(\/.*)?$/.exec(pointer);
  return found === null ? undefined : { index: Number(found[1]), path: found[2] ?? '' };
};

type Range = readonly [from: number, to: number];

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
};

const endOfString = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
};

/** Returns the end of the value that begins at an index. */
const endOfValue = (text: string, from: number): number => {
  if (text.charAt(from) === '"') return endOfString(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at) - 1;
    else if ('{['.includes(character)) depth += 1;
    else if ('}]'.includes(character)) {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && ', \t\r\n'.includes(character)) return at;
  }
  return text.length;
};

/** Returns where the value of one step begins, in an object or a list that begins at an index. */
const startOfStep = (text: string, from: number, step: string): number | undefined => {
  const isList = text.charAt(from) === '[';
  let at = skipSpace(text, from + 1);
  for (let index = 0; at < text.length && !'}]'.includes(text.charAt(at)); index += 1) {
    let name: unknown = String(index);
    if (!isList) {
      const end = endOfString(text, at);
      name = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (name === step) return at;
    at = skipSpace(text, endOfValue(text, at));
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return undefined;
};

/** Returns the part of a valid JSON text that a pointer leads to, or the nearest part around it. */
export const locate = (text: string, pointer: string): Range => {
  let at = skipSpace(text, 0);
  for (const step of stepsOf(pointer)) {
    if (!'{['.includes(text.charAt(at))) break;
    const next = startOfStep(text, at, step);
    if (next === undefined) break;
    at = next;
  }
  return [at, endOfValue(text, at)];
};
