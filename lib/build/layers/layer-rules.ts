import { posix } from 'node:path';
import { exceptions, folderRules, type FolderRule } from './folder-rules.ts';

/*
 * Makes the lint rules of the floor plan (rooms.ts). oxlint compares the text of an import, so a rule holds for files of one
 * depth below the folder of a row.
 */

/** Folders are nested at most so deep below the folder of a row. */
const depths = [0, 1, 2];

const times = (text: string, count: number): string => text.repeat(count);

/** Files in a folder, and in folders below it. */
const below = (path: string): readonly string[] => depths.map((depth) => `${path}/${times('*/', depth)}*`);

/** A path as an import in a file of a folder writes it. */
const fromFolder = (folder: string, path: string): string => {
  const relative = posix.relative(folder, path);
  return relative.startsWith('.') ? relative : `./${relative}`;
};

const pathsOf = (entry: string): readonly string[] => (entry.endsWith('.ts') ? [entry] : below(entry));

const packagesOf = (name: string): readonly string[] => (name === 'node:*' ? ['node:*', 'node:*/*'] : [name]);

/** `*` also fits `..`: such a pattern would fit the files of other folders, `../../store/orders.ts` for example. */
const leavesParent = /^(\.\.\/)+(\*\/){2,}\*$/;

/** The files of the row's own folder, as a file at a depth below it imports them. What leaves the folder is denied after it. */
const ownOf = (depth: number): readonly string[] => [
  ...below('.'),
  ...Array.from({ length: depth }, (_, index) => times('../', index + 1)).flatMap((up) => [
    `${up}*`,
    `${up}*/*`,
    `${up}*/*/*`,
  ]),
];

/** What files of a folder may import. The last pattern that fits an import decides. */
const patternsOf = (room: FolderRule, folder: string, depth: number): readonly string[] => {
  const write = (entries: readonly string[]) =>
    entries
      .flatMap(pathsOf)
      .map((path) => fromFolder(folder, path))
      .filter((pattern) => !leavesParent.test(pattern));
  const outside = below(times('../', depth + 1).slice(0, -1));
  const open = [...write(room.imports), ...(room.packages ?? []).flatMap(packagesOf)];
  return [
    '*',
    ...ownOf(depth).map((pattern) => `!${pattern}`),
    ...outside,
    ...open.map((pattern) => `!${pattern}`),
    ...write(room.closed ?? []),
  ];
};

const override = (files: string, { rule }: FolderRule, group: readonly string[]) => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message: rule }] }] },
});

/** The configuration of oxlint that .oxlintrc.json extends: a rule for each row of the floor plan, and each depth below it. */
export const layerRules = () => ({
  overrides: [
    ...Object.entries(folderRules).flatMap(([path, room]) =>
      depths.map((depth) => {
        const folder = `${path.replace('*', 'any')}${times('/any', depth)}`;
        return override(`${path}/${times('*/', depth)}*.ts`, room, patternsOf(room, folder, depth));
      }),
    ),
    ...Object.entries(exceptions).map(([files, room]) =>
      override(files, room, patternsOf(room, posix.dirname(files), 0)),
    ),
  ],
});
