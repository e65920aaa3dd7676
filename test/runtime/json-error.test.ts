import { describe, expect, it } from 'vitest';
import { jsonErrorPlace } from '../../lib/runtime/json-error.ts';

/** The place that the parser of the runtime names; undefined where it names none. */
const placeOfParser = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    throw new Error(`it is JSON: ${text}`);
  } catch (error) {
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? [];
    return line === undefined ? undefined : `line ${line}, column ${column}`;
  }
};

describe('jsonErrorPlace', () => {
  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}'],
    ['a comma before the end of an object', '{"a":1,}'],
    ['a name without quotes', '{ a: 1 }'],
    ['a missing colon', '{"a" 1}'],
    ['an object without its end', '{"a":[1,2'],
    ['a text without its end', '{"a":"b'],
    ['a number with a leading zero', '{"a":01}'],
    ['a line end inside a text', '{"a":"x\n true","b":1}'],
    ['a second value', '{"a":1} {'],
    ['a closing letter too many', '[]]'],
    ['letters of other scripts before the error', '{"größe":"👍" "b":1}'],
  ])('names the same place as the parser: %s', (_, text) => {
    expect(placeOfParser(text)).toBeDefined();
    expect(jsonErrorPlace(text)).toBe(placeOfParser(text));
  });

  it.each([
    ['an unknown word', '{"a":undefined}', 'line 1, column 6'],
    ['a comma before the end of a list', '[1,]', 'line 1, column 4'],
    ['a text in single quotes', `{"a":\n'b'}`, 'line 2, column 1'],
    ['no text at all', '', 'line 1, column 1'],
    ['an escape that does not exist', String.raw`{"a":"\q"}`, 'line 1, column 7'],
    ['a value that begins like a number', '{"a":[{},{"b":[]},{"c":-}]}', 'line 1, column 24'],
  ])('names a place where the parser names none, or the letter after it: %s', (_, text, place) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(jsonErrorPlace(text)).toBe(place);
  });

  it('reads a deep or a long text without recursion', () => {
    expect(jsonErrorPlace('['.repeat(1_000_000))).toBe('line 1, column 1000001');
    expect(jsonErrorPlace(`"${String.raw`\n`.repeat(500_000)}`)).toBe('line 1, column 1000002');
  });
});
