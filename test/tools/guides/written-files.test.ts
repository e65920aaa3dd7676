import { describe, expect, it } from 'vitest';
import { blocksOf, documents } from './documents.ts';

/** The files that commands write by a redirection of the shell. */
const writtenIn = (block: string): readonly string[] =>
  [...block.matchAll(/(?<=\s)(?:[12]?>>?) ?([\w.$"/][^\s;)]*)/g)].map(([, file = '']) => file);

/** The data directory, which git ignores, and the files of stages, which belong to the repository. */
const allowed = /^(?:\.local\/|lib\/tools\/deploy\/stages\/|\/dev\/null$)/;

describe('shell blocks of README and guides', () => {
  it('write files below the data directory, and never into the root of the repository', () => {
    const written = documents.flatMap((document) =>
      [...blocksOf(document, 'sh'), ...blocksOf(document, 'console')].flatMap((block) =>
        writtenIn(block).map((file) => `${document.file}: ${file}`),
      ),
    );
    expect(written).toContain('lib/tools/guides/policies.md: .local/policy.json');
    expect(written.filter((line) => !allowed.test(line.replace(/^.*: /, '')))).toEqual([]);
  });
});
