import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../cli/command-line.ts';
import { followOperations } from '../platforms/shared/sync/next-step.ts';
import type { Lead, Translator } from '../platforms/platform.ts';
import { roomPicture } from './floor-plan/room-picture.ts';

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

/** A text with a block between its marks, `<!-- name -->` and `<!-- /name -->`. */
const withBlock = (text: string, name: string, block: string): string => {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [begin, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (begin === -1 || end < begin) throw new Error(`README.md has no place for ${name}: ${opening} and ${closing}`);
  return `${text.slice(0, begin + opening.length)}\n${block}\n${text.slice(end)}`;
};

/** README.md as it is, and with its generated blocks. */
export const readme = async () => {
  // The topics are in the code: no secret is read.
  process.env['PLATFORM_SECRETS'] ??= 'unused';
  const { translators } = await import('../platforms/translators.ts');
  const text = readFileSync('README.md', 'utf8');
  const wanted = withBlock(withBlock(text, 'platforms', platformTable(translators)), 'rooms', roomPicture());
  return { text, wanted };
};

if (import.meta.main) {
  readCommandLine({
    call: 'npm run readme',
    about: 'Writes the generated blocks of README.md: the table of platforms and the picture of the rooms.',
    options: {},
  });
  writeFileSync('README.md', (await readme()).wanted);
}
