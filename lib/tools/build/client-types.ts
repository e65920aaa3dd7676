import { readFile } from 'node:fs/promises';
import { extractDefinitions } from '../../contract/definitions.ts';
import type { DocumentTexts } from '../../contract/descriptions.ts';
import { errors } from '../../contract/errors.ts';
import { codesIn, type Described, textsOf } from '../../contract/openapi.ts';
import { basePath, type Operation } from '../../contract/operation.ts';
import { toOperation, type OperationEntry } from '../../contract/entry.ts';
import { block, comment, declare, fieldsOf, typeOf, type Schema } from './typescript.ts';

type Parts = Readonly<Record<'params' | 'query' | 'body' | 'answers', Schema>>;
type Entries = Readonly<Record<string, OperationEntry>>;
/** The schemas of every operation, and the named schemas. */
type Contract = {
  readonly entries: Entries;
  readonly texts: DocumentTexts;
  readonly operations: readonly Operation[];
  readonly parts: Readonly<Record<string, Parts>>;
  readonly named: Readonly<Record<string, Schema>>;
};

const readContract = (described: Described): Contract => {
  const { entries } = described;
  const { document, definitions } = extractDefinitions(
    Object.fromEntries(
      Object.entries(entries).map(([name, { params, query, body, answers }]) => [
        name,
        { params, query, body, answers },
      ]),
    ),
    '',
  );
  return {
    entries,
    texts: textsOf(described),
    operations: Object.entries(entries).map(([name, entry]) => toOperation(name, entry)),
    parts: document as Contract['parts'],
    named: definitions as Contract['named'],
  };
};

const partsOf = ({ parts }: Contract, { name }: Operation): Parts => {
  const found = parts[name];
  if (found === undefined) throw new Error(`the contract has no ${name}`);
  return found;
};

const resolve = ({ named }: Contract, schema: Schema): Schema => named[schema.$ref ?? ''] ?? schema;

const inputName = ({ name }: Operation) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;

/** Returns the fields of path and query as one object, next to the body; empty when there are none. */
const inputOf = (contract: Contract, operation: Operation): string => {
  const { params, query, body } = partsOf(contract, operation);
  const own = `${fieldsOf(params)}${fieldsOf(query)}`;
  const hasBodyFields = Object.keys(resolve(contract, body).properties ?? {}).length > 0;
  return [...(own === '' ? [] : [block(own)]), ...(hasBodyFields ? [typeOf(body)] : [])].join(' & ');
};

/** The additional options of operations that check a version. */
const versionOptions: Readonly<Record<string, readonly string[]>> = {
  optional: ['VersionOptions'],
  required: ['RequiredVersionOptions'],
  required_or_none: ['RequiredVersionOptions'],
};

const argumentsOf = (contract: Contract, operation: Operation): string => {
  const { params, query, body } = partsOf(contract, operation);
  const { ifMatch, idempotencyKey, dryRun, localized } = operation;
  const options = [
    'RequestOptions',
    ...(idempotencyKey ? ['KeyOptions'] : []),
    ...(dryRun ? ['DryRunOptions'] : []),
    ...(localized === true ? ['LanguageOptions'] : []),
    ...(versionOptions[ifMatch] ?? []),
  ];
  const demanding = options.includes('RequiredVersionOptions');
  const mayBeEmpty = [params, query, resolve(contract, body)].every(({ required = [] }) => required.length === 0);
  const input = inputOf(contract, operation) === '' ? '{}' : inputName(operation);
  return `input${mayBeEmpty && !demanding ? '?' : ''}: ${input}, options${demanding ? '' : '?'}: ${options.join(' & ')}`;
};

/** Returns an example value for each parameter of the path; undefined when a parameter has none. */
const pathExample = ({ params }: OperationEntry): Readonly<Record<string, unknown>> | undefined => {
  const values = Object.entries(params.properties).map(([name, schema]): [string, unknown] => [
    name,
    (schema as { readonly examples?: readonly unknown[] }).examples?.[0],
  ]);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
};

const exampleOf = (name: string, entry: OperationEntry | undefined): readonly string[] => {
  const path = entry && pathExample(entry);
  if (entry === undefined || path === undefined) return [];
  const input = { ...path, ...(entry.example.body as object) };
  const text = Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2);
  return ['', '@example', `const result = await client.${name}(${text});`].flatMap((line) => line.split('\n'));
};

const describe = ({ entries, texts }: Contract, operation: Operation): string => {
  const entry = entries[operation.name];
  const { name, summary, method, path, scope, errors: codes } = operation;
  return comment(
    `${summary}: \`${method} ${basePath}${path}\`, ${scope === null ? 'without a token' : `scope \`${scope}\``}.`,
    '',
    ...(entry?.description.split('\n') ?? []),
    ...(codes.length === 0 ? [] : ['', 'Errors of this operation:']),
    ...codes.map((code) => `- \`${code}\`: ${texts.errors[code].cause}`),
    ...exampleOf(name, entry),
  );
};

const methodOf = (contract: Contract, operation: Operation): string => {
  const answer = typeOf(partsOf(contract, operation).answers);
  return `${describe(contract, operation)}${operation.name}(${argumentsOf(contract, operation)}): Promise<Result<Answer<${answer}>>>;\n`;
};

/** Returns the method that iterates over a list; empty for an operation without a list. */
const itemsOf = (contract: Contract, operation: Operation): string => {
  const { items } = resolve(contract, partsOf(contract, operation).answers).properties ?? {};
  if (items?.items === undefined || !operation.query.includes('cursor')) return '';
  return `${operation.name}(${argumentsOf(contract, operation)}): AsyncIterable<Result<${typeOf(items.items)}>>;\n`;
};

const clientOf = (contract: Contract): string => {
  const forOperations = (write: (contract: Contract, operation: Operation) => string) =>
    contract.operations.map((operation) => write(contract, operation)).join('');
  const rest = [
    `${comment('The items of each list, whatever pages they come in. A failure is the last of them.')}readonly items: ${block(forOperations(itemsOf))};`,
    `${comment('Lets the calls under way end, then ends the connections and all that runs beside. A call after it rejects.')}close(): Promise<void>;`,
    '[Symbol.asyncDispose](): Promise<void>;\n',
  ];
  return `export interface ReturnsClient ${block(`${forOperations(methodOf)}${rest.join('\n')}`)}\n`;
};

const inputsOf = (contract: Contract): string[] => {
  const inputs = contract.operations.map((operation) => [inputName(operation), inputOf(contract, operation)] as const);
  return inputs.filter(([, type]) => type !== '').map(([name, type]) => `export type ${name} = ${type};\n`);
};

const errorCodes = (described: Described, { errors: errorTexts }: DocumentTexts): string =>
  `export type ErrorCode =\n${codesIn(described)
    .map((code) => {
      const { cause, fix } = errorTexts[code];
      return `  /** Status ${errors[code]}. ${cause} ${fix} */\n  | '${code}'`;
    })
    .join('\n')};\n`;

/** Returns the hand-written types, without the comment and the imports at the head. */
const publicTypes = async (): Promise<string> => {
  const text = await readFile('lib/access/client/public.ts', 'utf8');
  return text
    .replace(/^\/\*[^]*?\*\/\n/, '')
    .replaceAll(/^import type .*;\n/gm, '')
    .trimStart();
};

const create = `${comment(
  'A client of the Returns Service. It holds one token for each scope, and its connections; it reads nothing of the',
  'environment. A failure is a value; what rejects is a mistake in the program, or the signal that it gave.',
  '',
  '@throws {TypeError} when an address or the credentials cannot be used',
)}export declare const createReturnsClient: (options: ClientOptions) => ReturnsClient;\n`;

/**
 * Returns the declarations of the client package: one file, without types of other packages.
 *
 * @param described the operations that the client has
 */
export const clientTypes = async (described: Described): Promise<string> => {
  const contract = readContract(described);
  return [
    '/// <reference lib="esnext.disposable" />\n',
    create,
    clientOf(contract),
    await publicTypes(),
    errorCodes(described, contract.texts),
    ...inputsOf(contract),
    ...Object.entries(contract.named).map(([name, schema]) => declare(name, schema)),
  ].join('\n');
};
