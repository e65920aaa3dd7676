const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A string, a bracket, a comma, a colon, or a number or word. White space is left out. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Returns JSON with line breaks and indentation, or nothing if the text is no JSON. It copies the values as they are
 * written: `JSON.parse` would change the last digits of long numbers, such as the ids of shops.
 */
export const indentJson = (text: string): string | undefined => {
  if (!isJson(text)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  const breakLine = () => parts.push(`\n${'  '.repeat(depth)}`);
  for (const [token] of text.matchAll(tokens)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    const isEmpty = isEnd && (before === '{' || before === '[');
    if (!isEmpty && (isEnd || before === '{' || before === '[' || before === ',')) breakLine();
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return parts.join('');
};
