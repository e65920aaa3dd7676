import { posix } from 'node:path';
import type { FolderRule } from './folder-rule.ts';
import { exceptions, folderRules } from './folder-rules.ts';

/*
 * Makes the lint rules from the floor plan (folder-rules.ts). oxlint compares the text of an import, so a rule applies
 * to files of one depth below the folder of a row.
 */

/** The maximum depth of folders below the folder of a row. */
const depths = [0, 1, 2];

const times = (text: string, count: number): string => text.repeat(count);

/** Returns the patterns of the files in a folder, and in folders below it. */
const below = (path: string): readonly string[] => depths.map((depth) => `${path}/${times('*/', depth)}*`);

/** Returns a path as a file of a folder imports it. */
const fromFolder = (folder: string, path: string): string => {
  const relative = posix.relative(folder, path);
  return relative.startsWith('.') ? relative : `./${relative}`;
};

const pathsOf = (entry: string): readonly string[] => (entry.endsWith('.ts') ? [entry] : below(entry));

const packagesOf = (name: string): readonly string[] => (name === 'node:*' ? ['node:*', 'node:*/*'] : [name]);

/**
 * `*` also matches `..`: such a pattern would match the files of other folders, `../../store/orders.ts` for example.
 */
const leavesParent = /^(\.\.\/)+(\*\/){2,}\*$/;

/**
 * Returns the patterns of the row's own folder, for a file at a depth below it. Later patterns deny imports that leave
 * the folder.
 */
const ownOf = (depth: number): readonly string[] => [
  ...below('.'),
  ...Array.from({ length: depth }, (_, index) => times('../', index + 1)).flatMap((up) => [
    `${up}*`,
    `${up}*/*`,
    `${up}*/*/*`,
  ]),
];

/** Returns the patterns of the allowed imports. The last pattern that matches an import decides. */
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

/**
 * Returns the oxlint configuration that .oxlintrc.json extends: a rule for each row of the floor plan, and each depth
 * below it.
 */
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
