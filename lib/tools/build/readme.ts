import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../command-line/command-line.ts';
import { type Mode, modes } from '../template/functions/function-row.ts';
import type { TopicEffect, Translator } from '../../shops/platforms/platform.ts';
import { stepOperations } from '../../contract/inbox/sync.ts';
import { folderRules } from './layers/folder-rules.ts';
import { effectTable, factTable, limitTable, operationSections, operatorTable, phaseTable } from './operation-table.ts';

/** Returns the wing of a path: `lib/store` for `lib/store/orders/orders.ts`. Each folder of tools is one too. */
const topFolderOf = (path: string): string => /^(?:lib\/tools\/[^/]+|lib\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;

/** Returns the top folders that each top folder imports, by the table of layers. */
export const importsByFolder = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [path, { imports }] of Object.entries(folderRules)) {
    const folder = topFolderOf(path);
    const known = graph.get(folder) ?? new Set();
    for (const entry of imports) if (topFolderOf(entry) !== folder) known.add(topFolderOf(entry));
    graph.set(folder, known);
  }
  return graph;
};

/** Returns all folders that a folder imports, directly or through others. */
export const foldersReachedFrom = (
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  start: string,
): ReadonlySet<string> => {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (reached.has(folder)) continue;
    reached.add(folder);
    open.push(...(graph.get(folder) ?? []));
  }
  return reached;
};

const nodeOf = (folder: string): string => folder.replace('lib/', '');

/**
 * Returns a Mermaid flowchart of the folders. An arrow means that a folder imports another one. The picture omits an
 * arrow when others lead to the same folder.
 */
const folderPicture = (): string => {
  const graph = importsByFolder();
  const arrows = [...graph].flatMap(([folder, imports]) =>
    [...imports]
      .filter(
        (target) => ![...imports].some((other) => other !== target && foldersReachedFrom(graph, other).has(target)),
      )
      .toSorted()
      .map((target) => `  ${nodeOf(folder)} --> ${nodeOf(target)}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
};

const operationsOf = (effects: readonly TopicEffect[]): string =>
  [
    'registerOrder',
    ...(effects.includes('return') ? ['createReturn', ...stepOperations] : []),
    ...(effects.includes('refund') ? ['recordRefund'] : []),
    ...(effects.includes('withdrawal') ? ['declareWithdrawal', 'matchWithdrawal'] : []),
  ].join(', ');

/** The longest row of a table, as test/tools/guides/documents.test.ts limits all lines. */
const maxRow = 300;

/** Returns a list as parts that fit into a row beside its other cells, which have a length in sum. */
const partsWithin = (items: readonly string[], others: number): readonly string[] => {
  const parts: string[] = [];
  for (const item of items) {
    const longer = parts.length === 0 ? item : `${parts.at(-1)}, ${item}`;
    if (parts.length > 0 && longer.length + others > maxRow) parts.push(item);
    else parts.splice(-1, 1, longer);
  }
  return parts;
};

/**
 * Returns the operations of deliveries by platform and topic, as rows of Markdown. Topics with the same operations
 * share rows.
 */
const platformTable = (translators: Readonly<Record<string, Translator>>): string => {
  const rows = Object.entries(translators).flatMap(([platform, { topics }]) => {
    const groups = Map.groupBy(Object.entries(topics()), ([, effects]) => operationsOf(effects));
    return Array.from(groups, ([operations, group]) => {
      const rowOf = (names: string) => `| ${platform} | ${names} | ${operations} |`;
      const names = group.map(([topic]) => `\`${topic}\``);
      return partsWithin(names, rowOf('').length).map(rowOf);
    }).flat();
  });
  return ['| platform | topic | operations |', '|---|---|---|', ...rows].join('\n');
};

type TemplateParameter = {
  readonly Description?: string;
  readonly Default?: string | number;
  readonly AllowedValues?: readonly string[];
  readonly MinValue?: number;
  readonly MaxValue?: number;
};
type Parameters = Readonly<Record<string, TemplateParameter>>;

/** Returns the parameters of a packaged mode. `npm run package` writes it. */
const parametersOf = (mode: Mode): Parameters => {
  const file = `dist/package/${mode}/cloudformation-template-update-stack.json`;
  if (!existsSync(file)) throw new Error(`${file} does not exist: run npm run package`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly Parameters: Parameters }).Parameters;
};

const accepted = ({ AllowedValues, MinValue, MaxValue }: TemplateParameter): readonly string[] => {
  if (AllowedValues !== undefined) return AllowedValues.map((value) => `\`${value}\``);
  const limits = [MinValue === undefined ? '' : `from ${MinValue}`, MaxValue === undefined ? '' : `to ${MaxValue}`];
  return [limits.filter(Boolean).join(' ')];
};

const defaultOf = ({ Default }: TemplateParameter): string => {
  if (Default === undefined) return '**required**';
  return Default === '' ? 'none' : `\`${Default}\``;
};

/** Returns the parameters of all modes as rows of Markdown, the required ones first. */
const parameterTable = (): string => {
  const byMode = modes.map((mode) => [mode, parametersOf(mode)] as const);
  const names = [...new Set(byMode.flatMap(([, parameters]) => Object.keys(parameters)))].filter(
    (name) => name !== 'Stage',
  );
  const rows = names.flatMap((name) => {
    const found = byMode.flatMap(([mode, { [name]: parameter }]) =>
      parameter === undefined ? [] : [{ mode, parameter }],
    );
    const [first] = found;
    if (first === undefined) return [];
    const { mode, parameter } = first;
    const where = found.length > 1 ? 'both' : mode;
    const text = (parameter.Description ?? '').replaceAll(/<[^>]+>/g, '`$&`');
    const rowOf = (values: string) => `| ${name} | ${where} | ${defaultOf(parameter)} | ${values} | ${text} |`;
    const [values = '', ...others] = partsWithin(accepted(parameter), rowOf('').length);
    const row = [rowOf(values), ...others.map((more) => `| | | | ${more} | |`)].join('\n');
    return [{ name, row, isRequired: parameter.Default === undefined }];
  });
  const sorted = rows.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired) || (a.name < b.name ? -1 : 1));
  return [
    '| parameter | mode | default | accepts | meaning |',
    '|---|---|---|---|---|',
    ...sorted.map(({ row }) => row),
  ].join('\n');
};

/** Returns a text with a block between its marks, `<!-- name -->` and `<!-- /name -->`. */
const withBlock = (document: { readonly file: string; readonly text: string }, name: string, block: string): string => {
  const { file, text } = document;
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [begin, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (begin === -1 || end < begin) throw new Error(`${file} has no place for ${name}: ${opening} and ${closing}`);
  return `${text.slice(0, begin + opening.length)}\n${block}\n${text.slice(end)}`;
};

/** A document in its current form, and with its generated blocks. */
export type GeneratedDocument = { readonly file: string; readonly text: string; readonly wanted: string };

/** Returns the documents that have generated blocks. */
export const generatedDocuments = async (): Promise<readonly GeneratedDocument[]> => {
  // The topics are in the code, so no secret is read.
  process.env['PLATFORM_SECRETS'] ??= 'unused';
  const { translators } = await import('../../shops/platforms/translators.ts');
  const blocks = [
    ['lib/tools/guides/receive-webhooks-from-shops.md', 'platforms', platformTable(translators)],
    ['lib/tools/guides/contributing.md', 'folders', folderPicture()],
    ['lib/tools/guides/parameters.md', 'parameters', parameterTable()],
    ['lib/tools/guides/operations.md', 'operations', operationSections()],
    ['lib/tools/guides/limits.md', 'limits', limitTable()],
    ['lib/tools/guides/policy-reference.md', 'phases', phaseTable()],
    ['lib/tools/guides/policy-reference.md', 'effects', effectTable()],
    ['lib/tools/guides/policy-reference.md', 'operators', operatorTable()],
    ['lib/tools/guides/policy-reference.md', 'facts', factTable()],
  ] as const;
  return [...Map.groupBy(blocks, ([file]) => file)].map(([file, own]) => {
    const text = readFileSync(file, 'utf8');
    const wanted = own.reduce((current, [, name, block]) => withBlock({ file, text: current }, name, block), text);
    return { file, text, wanted };
  });
};

if (import.meta.main) {
  readCommandLine({
    call: 'npm run readme',
    about:
      'Writes the generated blocks of the guides: the tables of platforms, parameters, operations, limits and policies, and the picture of the folders.\nIt reads the output of npm run package.',
    options: {},
  });
  for (const { file, wanted } of await generatedDocuments()) writeFileSync(file, wanted);
}
