import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bannedIn } from '../../../lib/tools/guides/prose.ts';

const files = globSync('test/**/*.{test,soak}.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The titles of a file: the first argument of `describe`, `it` and `test`, and of what their `each` returns. */
const titlesOf = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/(?:\b(?:describe|it|test)(?:\.\w+)*\(|\)\()\s*(['`])((?:(?!\1).)+)\1,/g),
    ([, , title = '']) => title,
  );

describe('the titles of the tests', () => {
  it('are found', () => {
    expect(files.flatMap(({ text }) => titlesOf(text)).length).toBeGreaterThan(2_500);
  });

  it('begin with a unit: each file has a describe', () => {
    expect(files.filter(({ text }) => !/\bdescribe(\.\w+)*\(/.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('have no banned word', () => {
    const found = files.flatMap(({ file, text }) =>
      titlesOf(text)
        .filter((title) => bannedIn(title).length > 0)
        .map((title) => `${file}: ${title}`),
    );
    expect(found).toEqual([]);
  });
});
