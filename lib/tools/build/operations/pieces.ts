import { globSync, readFileSync } from 'node:fs';
import { isCommandOnReturn, type Operation } from '../../../contract/operation.ts';

/*
 * The pieces of an operation that a person writes, besides its entry in lib/contract. Its record, function, route,
 * command line and page, and both sides of the port, are generated from the entry.
 */

/** A piece: the files that may state it, and the operations that need it. */
type Piece = {
  readonly name: string;
  /** The usual file is the first one. */
  readonly files: readonly string[];
  /** What the usual file lacks. */
  readonly noun: string;
  readonly isNeededBy: (operation: Operation) => boolean;
  /** Without it, `npm run generate` cannot write its files. */
  readonly isFirst?: true;
};

const isForAll = (): boolean => true;
const isStoring = ({ dryRun }: Operation): boolean => dryRun;

const model = (file: string, noun: string): Piece => ({
  name: 'model',
  files: [`test/domain/returns/model/${file}.ts`],
  noun,
  isNeededBy: isCommandOnReturn,
});

const pieces: readonly Piece[] = [
  {
    name: 'service',
    files: ['lib/service/operations/**/*.ts', 'lib/service/operations/inbox/*.ts', 'lib/edge/backend/*-operations.ts'],
    noun: 'constant',
    isNeededBy: isForAll,
    isFirst: true,
  },
  {
    name: 'permissions',
    files: ['lib/tools/template/functions/operation-permissions.ts', 'lib/tools/template/functions/operations.ts'],
    noun: 'permissions',
    isNeededBy: (operation) => !isCommandOnReturn(operation),
    isFirst: true,
  },
  { name: 'decision', files: ['lib/domain/returns/commands/**/*.ts'], noun: 'decision', isNeededBy: isCommandOnReturn },
  { name: 'state', files: ['lib/domain/returns/rules/states.ts'], noun: 'row', isNeededBy: isCommandOnReturn },
  { name: 'label', files: ['lib/console/texts/en/labels.json'], noun: 'label', isNeededBy: isCommandOnReturn },
  { name: 'form', files: ['lib/console/screens/return/commands.ts'], noun: 'command', isNeededBy: isCommandOnReturn },
  { name: 'example', files: ['test/contract/examples.test.ts'], noun: 'step', isNeededBy: isForAll },
  {
    name: 'direct call',
    files: ['test/direct/operations.test.ts', 'test/direct/*.ts'],
    noun: 'call',
    isNeededBy: isForAll,
  },
  {
    name: 'repeat',
    files: ['test/contract/lost-replies.test.ts', 'test/support/*-writes.ts'],
    noun: 'case',
    isNeededBy: isStoring,
  },
  {
    name: 'write units',
    files: ['test/store/capacity.test.ts', 'test/support/life.ts'],
    noun: 'step',
    isNeededBy: isCommandOnReturn,
  },
  { name: 'attempts', files: ['test/support/forms.ts'], noun: 'forms', isNeededBy: isCommandOnReturn },
  model('step', 'member'),
  model('steps', 'step'),
  model('edges', 'edges'),
  model('evaluate-step', 'case'),
  model('perform', 'case'),
];

/** A piece that an operation lacks, as a line, and whether nothing can be generated without it. */
export type MissingPiece = { readonly line: string; readonly isFirst: boolean };

/** Returns the text of all files of some patterns. */
const textOf = (patterns: readonly string[]): string =>
  patterns
    .flatMap((pattern) => globSync(pattern))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** The service is found by its constant, every other piece by the name of the operation. */
const isStated = ({ name: piece }: Piece, operation: string, text: string): boolean =>
  new RegExp(piece === 'service' ? `^export const ${operation} =` : `\\b${operation}\\b`, 'm').test(text);

/** Returns the pieces that operations lack, in the order of the work. */
export const missingPieces = (operations: readonly Operation[]): readonly MissingPiece[] =>
  pieces.flatMap((piece) => {
    const text = textOf(piece.files);
    return operations
      .filter((operation) => piece.isNeededBy(operation) && !isStated(piece, operation.name, text))
      .map(({ name }) => ({
        line: `${piece.name}: ${piece.files[0]?.replace(/\/\*.*$/, '')} has no ${piece.noun} for ${name}`,
        isFirst: piece.isFirst === true,
      }));
  });
