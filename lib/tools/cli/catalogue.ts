import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contract, type OperationName } from '../../contract/contract.ts';
import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { type Described, textsOf } from '../../contract/openapi.ts';
import { aboutKeyword } from '../../contract/scalars.ts';
import type { Operation } from '../../contract/operation.ts';

/*
 * The operations of the contract, as the command line needs them. From the sources, this file reads the schemas. The
 * client package holds the result instead (lib/tools/build/client.ts): it needs no schemas, and starts fast.
 */

/** A field of the path, the query or the body of an operation, as the command line takes it. */
export type Field = {
  readonly name: string;
  /** `texts`: several texts. `json`: an object or a list, which the command line takes as JSON. */
  readonly kind: 'text' | 'number' | 'boolean' | 'texts' | 'json';
  readonly required: boolean;
  /** The description of the contract, in Markdown. */
  readonly about: string;
  readonly choices?: readonly string[];
  readonly pattern?: string;
  /** Completes "must be …" for a value that does not match the pattern. */
  readonly expected?: string;
  readonly minimum?: number;
  readonly maximum?: number;
};

/**
 * How a command runs its operation.
 *
 * - `once`: one call.
 * - `list`: one call for each page of a list.
 * - `pages`: one call for each page of a range, until `nextCursor` is null.
 * - `drain`: calls until `remaining` is 0.
 * - `job`: one call that starts a job, then the command waits for the end of the job.
 * - `timeline`: one call for a return, and one for each page of its history.
 */
export type Flow = 'once' | 'list' | 'pages' | 'drain' | 'job' | 'timeline';

/** An operation of the contract with the texts and fields that a command line needs. */
export type OperationInfo = {
  readonly operation: Operation & { readonly name: OperationName };
  readonly description: string;
  readonly params: readonly Field[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  readonly flow: Flow;
  /** The fields of the items of a list that a table may show, in order. */
  readonly columns: readonly string[];
};

/** The operations of the contract: those that the service offers, and the others. */
export type Catalogue = {
  readonly offered: readonly OperationInfo[];
  readonly notOffered: readonly Pick<OperationInfo['operation'], 'name' | 'path'>[];
};

/** The part of JSON Schema that the contract uses. */
type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-expected'?: string;
  readonly [aboutKeyword]?: string;
};

/** Returns a schema without the marks of its builder. */
const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

const valuesOf = ({ enum: values, const: value }: Schema): readonly unknown[] =>
  values ?? (value === undefined ? [] : [value]);

/** Returns the one schema that a value of a merge patch has besides null; other unions stay. */
const withoutNull = (schema: Schema): Schema => {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return others.length === 1 && only !== undefined ? { ...schema, anyOf: [], ...only } : schema;
};

const isText = (schema: Schema): boolean =>
  schema.type === 'string' ||
  (valuesOf(schema).length > 0 && valuesOf(schema).every((value) => typeof value === 'string'));

const kindOf = (schema: Schema): Field['kind'] => {
  if (isText(schema)) return 'text';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean' || typeof schema.const === 'boolean') return 'boolean';
  return schema.type === 'array' && schema.items !== undefined && isText(schema.items) ? 'texts' : 'json';
};

const fieldOf = (name: string, given: Schema, required: boolean, about: string | undefined): Field => {
  const schema = withoutNull(given);
  const kind = kindOf(schema);
  const values = kind === 'texts' && schema.items !== undefined ? schema.items : schema;
  const choices = valuesOf(values).map(String);
  const isWord = kind === 'text' || kind === 'texts';
  return {
    name,
    kind,
    required,
    about: about ?? given[aboutKeyword] ?? schema.description ?? '',
    ...(isWord && choices.length > 0 ? { choices } : {}),
    ...(isWord && values.pattern !== undefined ? { pattern: values.pattern } : {}),
    ...(isWord && values['x-expected'] !== undefined ? { expected: values['x-expected'] } : {}),
    ...(schema.minimum === undefined ? {} : { minimum: schema.minimum }),
    ...(schema.maximum === undefined ? {} : { maximum: schema.maximum }),
  };
};

const fieldsOf = (schema: Schema, aboutOf: (name: string) => string | undefined): readonly Field[] =>
  Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldOf(name, field, schema.required?.includes(name) ?? false, aboutOf(name)),
  );

const flowOf = (name: string, { method, success }: OperationEntry, body: Schema, answers: Schema): Flow => {
  const answered = answers.properties ?? {};
  if (name === 'getReturn') return 'timeline';
  if (method === 'GET') return answered['items'] && answered['nextCursor'] ? 'list' : 'once';
  if (body.properties?.['cursor'] && answered['nextCursor']) return 'pages';
  if (answered['remaining']) return 'drain';
  // A command that cancels or reads a job also has the job as its answer, and starts none.
  return method === 'POST' &&
    success[0] === 201 &&
    answered['jobId'] &&
    valuesOf(answered['status'] ?? {}).includes('queued')
    ? 'job'
    : 'once';
};

/** Returns the operation that a command calls after its own one. */
const nextOf = (name: OperationName, flow: Flow): OperationName | undefined => {
  if (flow === 'timeline') return 'getHistory';
  if (flow !== 'job') return undefined;
  return name === 'createBulk' ? 'getBulk' : 'getJob';
};

/** Returns the names of the fields of a list's items. The items of a union have the fields of its first member. */
const columnsOf = (answers: Schema): readonly string[] => {
  const item = answers.properties?.['items']?.items ?? {};
  return Object.keys((item.anyOf?.[0] ?? item).properties ?? {});
};

const infoOf = (name: OperationName, entry: OperationEntry, described: Described): OperationInfo => {
  const [body, answers] = [plain(entry.body), plain(entry.answers)];
  const { parameters } = textsOf(described);
  const parameter = (field: string) => parameters[`${name}.${field}`] ?? parameters[field];
  const flow = flowOf(name, entry, body, answers.anyOf?.[0] ?? answers);
  const next = nextOf(name, flow);
  return {
    operation: { ...toOperation(name, entry), name },
    description: entry.description,
    params: fieldsOf(plain(entry.params), parameter),
    query: fieldsOf(plain(entry.query), parameter),
    body: fieldsOf(body, () => undefined),
    flow: next === undefined || described.entries[next] !== undefined ? flow : 'once',
    columns: flow === 'list' ? columnsOf(answers) : [],
  };
};

const root = resolve(import.meta.dirname, '../../..');

/** Writes the contract into dist/ of a fresh clone. The client of the sources needs it, and the package holds it. */
export const writeMissingContract = (): void => {
  if (existsSync(resolve(root, 'dist/contract/answers.js'))) return;
  console.error('Writing the contract into dist/, about 10 s. It happens once.');
  const { status } = spawnSync(process.execPath, ['lib/tools/build/build.ts', '--contract'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the contract is not written: run npm run generate');
};

/**
 * Returns the operations of the contract, in its order.
 *
 * @param described those that the service offers
 * @default all
 */
export const readCatalogue = (described: Described = { entries: contract }): Catalogue => {
  const { entries } = described;
  const names = Object.keys(contract) as OperationName[];
  return {
    offered: names.flatMap((name) => (entries[name] === undefined ? [] : [infoOf(name, entries[name], described)])),
    notOffered: names.flatMap((name) => (entries[name] === undefined ? [{ name, path: contract[name].path }] : [])),
  };
};

/** Returns the version of the project. */
export const readVersion = (): string => {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
};
