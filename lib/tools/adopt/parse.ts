import { CST, Lexer, parseDocument } from 'yaml';
import { isObject, parseJson } from '../../runtime/json.ts';
import { UnreadableDescription } from './failure.ts';
import { maxAliases, maxBytes, maxDepth, maxTokens, maxValues } from './limits.ts';
import { stepped } from './pointer.ts';

const decode = (bytes: Uint8Array): string => {
  if (bytes.length > maxBytes) throw new UnreadableDescription('too_large', '', `at most ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableDescription('not_text', '', 'text in UTF-8');
  }
};

/** Checks what costs the parser of YAML more than linear time or memory. The lexer costs little. */
const checkTokens = (text: string): void => {
  let tokens = 0;
  let aliases = 0;
  let depth = 0;
  let previous = '';
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    const isScalar = previous === CST.SCALAR;
    previous = token;
    // Text such as `**Note**` is no alias.
    if (isScalar) continue;
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token.startsWith('*') || token.startsWith('&')) aliases += 1;
    if (depth > maxDepth) throw new UnreadableDescription('too_deep', '', `at most ${maxDepth} levels`);
    if (tokens > maxTokens)
      throw new UnreadableDescription(
        'too_many_tokens',
        '',
        `at most ${maxTokens} tokens of YAML; JSON has no such limit`,
      );
    if (aliases > maxAliases)
      throw new UnreadableDescription('too_many_aliases', '', `at most ${maxAliases} anchors and aliases`);
  }
};

const parseYaml = (text: string): unknown => {
  checkTokens(text);
  // Unique keys would cost the square of their number. The last value of a key counts, as in JSON.
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    // The message of the parser quotes the input.
    const line = error.linePos?.[0].line ?? 1;
    if (error.code === 'RESOURCE_EXHAUSTION')
      throw new UnreadableDescription('too_deep', `line ${line}`, `at most ${maxDepth} levels`);
    throw new UnreadableDescription('not_parseable', `line ${line}`, `one document of YAML 1.2 (${error.code})`);
  }
  // Values that aliases share are counted in `copyOf`.
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch {
    throw new UnreadableDescription('not_parseable', '', 'aliases with an anchor before them');
  }
};

/**
 * Copies a value, so that it is a tree of plain JSON: an alias that contains itself ends at the depth, and a bomb of
 * aliases at the number of values.
 */
const copyOf = (root: unknown): unknown => {
  let values = 0;
  const copy = (value: unknown, at: string, depth: number): unknown => {
    values += 1;
    if (values > maxValues) throw new UnreadableDescription('too_many_values', '', `at most ${maxValues} values`);
    if (depth > maxDepth) throw new UnreadableDescription('too_deep', at, `at most ${maxDepth} levels`);
    if (Array.isArray(value)) return value.map((item, index) => copy(item, stepped(at, String(index)), depth + 1));
    if (isObject(value))
      // Object.fromEntries defines members: a member __proto__ stays a member.
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, copy(member, stepped(at, name), depth + 1)]),
      );
    return value;
  };
  return copy(root, '#', 0);
};

/**
 * Parses a description, JSON or YAML, within the limits.
 *
 * @throws {UnreadableDescription} with the place in the input
 */
export const parseDescription = (bytes: Uint8Array): unknown => {
  const text = decode(bytes);
  // JSON first: it is faster, and YAML forbids tabs as indentation of JSON.
  const json = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  return copyOf(json ?? parseYaml(text));
};
