import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../cli/command-line.ts';
import { followOperations } from '../platforms/follow/next-step.ts';
import type { Lead, Translator } from '../platforms/platform.ts';

const operationsOf = (leads: readonly Lead[]): string =>
  [
    'registerOrder',
    ...(leads.includes('return') ? ['createReturn', ...followOperations] : []),
    ...(leads.includes('refund') ? ['recordRefund'] : []),
  ].join(', ');

/** Which operations deliveries lead to, by platform and topic, as rows of Markdown: topics that lead to the same share one. */
const platformTable = (translators: Readonly<Record<string, Translator>>): string => {
  const rows = Object.entries(translators).flatMap(([platform, { topics }]) => {
    const groups = Map.groupBy(Object.entries(topics()), ([, leads]) => operationsOf(leads));
    return Array.from(groups, ([operations, group]) => {
      const names = group.map(([topic]) => `\`${topic}\``).join(', ');
      return `| ${platform} | ${names} | ${operations} |`;
    });
  });
  return ['| platform | topic | operations |', '|---|---|---|', ...rows].join('\n');
};

const marks = ['<!-- platforms -->', '<!-- /platforms -->'] as const;

/** A text with the table in the place that is marked for it. */
const withTable = (text: string, table: string): string => {
  const [begin, end] = marks.map((mark) => text.indexOf(mark));
  if (begin === undefined || end === undefined || begin === -1 || end < begin)
    throw new Error('README.md has no place for the table of platforms');
  return `${text.slice(0, begin + marks[0].length)}\n${table}\n${text.slice(end)}`;
};

/** README.md as it stands, and as it should. */
export const readme = async () => {
  // The table is of what is in the code; nothing is asked of any secret.
  process.env['PLATFORM_SECRETS'] ??= 'unused';
  const { translators } = await import('../platforms/translators.ts');
  const text = readFileSync('README.md', 'utf8');
  return { text, wanted: withTable(text, platformTable(translators)) };
};

if (import.meta.main) {
  readCommandLine({
    call: 'npm run platforms',
    about: 'Writes the table of platforms in README.md again, from the code.',
    options: {},
  });
  writeFileSync('README.md', (await readme()).wanted);
}
