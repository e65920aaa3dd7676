import { globSync, readFileSync } from 'node:fs';
import { readCommandLine } from '../command-line/command-line.ts';
import { proseOf, type Reading, readingOf } from './prose.ts';

readCommandLine({
  call: 'npm run reading',
  about: 'Prints the length of the sentences, in words: READMEs, guides, and the texts of the API.',
  options: {},
});
const { apiTexts } = await import('./api-texts.ts');
const row = (name: string, { sentences, median, p90, longest }: Reading): string =>
  [name.padEnd(48), ...[sentences, median, p90, longest].map((value) => String(value).padStart(10))].join('');
console.log([''.padEnd(48), ...['sentences', 'median', 'p90', 'longest'].map((name) => name.padStart(10))].join(''));
for (const file of [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(['lib/tools/guides/{*,pt/*}.md', '{lib,test}/**/README.md']).toSorted(),
])
  console.log(row(file, readingOf([proseOf(readFileSync(file, 'utf8'))])));
console.log(row('OpenAPI and AsyncAPI', readingOf(apiTexts().map(({ text }) => text))));
