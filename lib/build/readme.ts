import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../cli/command-line.ts';
import type { TopicEffect, Translator } from '../platforms/platform.ts';
import { syncOperations } from '../platforms/shared/sync/next-step.ts';
import { folderRules } from './layers/folder-rules.ts';

/** The room of a folder or file: `lib/store` of `lib/store/orders/orders.ts`. */
const topFolderOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('lib/') ? 2 : 1)
    .join('/');

/** The rooms that each room imports, by the table of rooms. */
export const importsByFolder = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>();
  for (const [path, { imports }] of Object.entries(folderRules)) {
    const room = topFolderOf(path);
    const known = all.get(room) ?? new Set();
    for (const entry of imports) if (topFolderOf(entry) !== room) known.add(topFolderOf(entry));
    all.set(room, known);
  }
  return all;
};

/** All rooms that are reached from a room, directly or through others. */
export const foldersReachedFrom = (
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  start: string,
): ReadonlySet<string> => {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    if (reached.has(room)) continue;
    reached.add(room);
    open.push(...(graph.get(room) ?? []));
  }
  return reached;
};

const nodeOf = (room: string): string => room.replace('lib/', '');

/**
 * A Mermaid flowchart of the rooms. An arrow says that a room imports another one. Arrows that follow from others are left
 * out: what a room imports, the rooms above it may import as well.
 */
const folderPicture = (): string => {
  const graph = importsByFolder();
  const arrows = [...graph].flatMap(([room, imports]) =>
    [...imports]
      .filter(
        (target) => ![...imports].some((other) => other !== target && foldersReachedFrom(graph, other).has(target)),
      )
      .toSorted()
      .map((target) => `  ${nodeOf(room)} --> ${nodeOf(target)}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
};

const operationsOf = (leads: readonly TopicEffect[]): string =>
  [
    'registerOrder',
    ...(leads.includes('return') ? ['createReturn', ...syncOperations] : []),
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
  const wanted = withBlock(withBlock(text, 'platforms', platformTable(translators)), 'rooms', folderPicture());
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
