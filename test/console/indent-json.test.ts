import { describe, expect, it } from 'vitest';
import { indentJson } from '../../lib/console/texts/indent-json.ts';

describe('indentJson', () => {
  it('keeps long numbers, escapes and repeated names as they are written', () => {
    const text = '{"id":820982911946154508,"a\\"}":[1.0,-2e3,true,null],"id":"x, {y}: [z]","none":{},"empty":[ ]}';
    expect(indentJson(text)).toBe(`{
  "id": 820982911946154508,
  "a\\"}": [
    1.0,
    -2e3,
    true,
    null
  ],
  "id": "x, {y}: [z]",
  "none": {},
  "empty": []
}`);
  });

  it('indents as JSON.stringify where no number is long', () => {
    const value = { a: [{ b: 'c\n"d"' }, [], {}], 'ü\\': [[1, [2]]], e: '' };
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    expect(indentJson(' "text" ')).toBe('"text"');
  });

  it('returns nothing for a text that is no JSON', () => {
    for (const text of ['', '{', 'a=b&c=d', '{"a":1}}', '<a/>']) expect(indentJson(text)).toBeUndefined();
  });
});
