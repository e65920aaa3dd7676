import { contract } from '../../contract/contract.ts';
import { ownTexts } from '../../contract/descriptions.ts';
import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { tagOf } from '../../contract/openapi.ts';
import type { Operation } from '../../contract/operation.ts';

/* All operations as Markdown, for the guide of operations. */

const rowOf = ({ name, method, path, scope, summary }: Operation): string =>
  `| \`${name}\` | \`${method} ${path}\` | ${scope === null ? 'no token' : `\`${scope}\``} | ${summary} |`;

/** Returns a section for each kind of resource, with a row for each of its operations. */
export const operationSections = (): string => {
  const operations = Object.entries<OperationEntry>(contract).map(([name, entry]) => toOperation(name, entry));
  const { tags } = ownTexts;
  const groups = Map.groupBy(operations, (operation) => tagOf(operation, tags));
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([tag, members]) =>
      [
        `\n## ${tag}\n`,
        `${tags[tag]}.\n`,
        '| operation | request | scope | what it does |',
        '|---|---|---|---|',
        ...members.toSorted((a, b) => a.path.localeCompare(b.path) || a.name.localeCompare(b.name)).map(rowOf),
      ].join('\n'),
    )
    .join('\n');
};
