import { contract } from '../../contract/contract.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { writeChanged } from '../command-line/files.ts';
import { commandAnswer } from '../template/adapters/core-schema.ts';
import { servedNames } from '../template/adapters/derive-contract.ts';

/*
 * Writes the shapes of answers (lib/contract/answer-shape.ts), from which a client tells a service of this contract from
 * another one. A compiled validator of a return is 13 times as large (20.9 kB gzip).
 */

/** The keywords of a schema of an answer that a shape depends on. */
type Schema = {
  readonly $id?: string;
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** The source text of a shape. Equal shapes have equal texts. */
type Source = string;

const quoted = (text: string): Source => JSON.stringify(text);

const idPattern = /^\^(\w+_)\[0-7\]\[0-9A-HJKMNP-TV-Z\]\{25\}\$$/;

/** Whether the member is the status of the resource that the operation answers, or of an item of its list. */
const isOwnStatus = (path: string): boolean => path === '/status' || path === '/items/*/status';

/**
 * Returns the members that all alternatives of a union require. A later release of the service may add an alternative
 * with the same ones.
 */
const commonMembers = (alternatives: readonly Schema[]): Schema => {
  const [first = {}, ...others] = alternatives;
  const required = (first.required ?? []).filter((name) => others.every((other) => other.required?.includes(name)));
  const properties = required.map((name): [string, Schema] => {
    const known = alternatives.map(({ properties = {} }) => properties[name] ?? {});
    const [schema = {}] = known;
    if (known.every((other) => JSON.stringify(other) === JSON.stringify(schema))) return [name, schema];
    return [name, known.every(({ type }) => type === 'string') ? { type: 'string' } : {}];
  });
  return { type: 'object', required, properties: Object.fromEntries(properties) };
};

const unionOf = (alternatives: readonly Schema[]): Schema | 'string or null' => {
  if (alternatives.every(({ properties }) => properties !== undefined)) return commonMembers(alternatives);
  return alternatives.every(({ type }) => type === 'string' || type === 'null') ? 'string or null' : {};
};

/** Returns the shape of a schema without members. */
type LeafOf = (schema: Schema, path: string) => Source;

/** What tells this contract from another one. */
const ownLeaf: LeafOf = (schema, path) => {
  const { type, pattern } = schema;
  if (schema.enum !== undefined && isOwnStatus(path)) return `new Set(${JSON.stringify(schema.enum)})`;
  // Null alone is a list without pages, which a later release may have.
  return quoted(type === 'null' ? 'string or null' : (idPattern.exec(pattern ?? '')?.[1] ?? type ?? 'any'));
};

/**
 * All that the contract says of an answer that an adapter makes, apart from the length of its texts.
 *
 * @param operation its name, for errors
 */
const coreLeaf =
  (operation: string): LeafOf =>
  ({ type, format, pattern, minimum, enum: words, patternProperties }, path) => {
    if (words !== undefined) return `new Set(${JSON.stringify(words)})`;
    if (format !== undefined) return quoted('instant');
    if (pattern !== undefined) return `/${pattern.replaceAll('/', '\\/')}/u`;
    if (type === 'integer' && minimum !== undefined && minimum >= 0) return quoted('count');
    const values = Object.values(patternProperties ?? {});
    if (values.length > 0 && values.every((value) => value.type === 'string')) return quoted('texts');
    // Whatever the service has there would leave unchecked.
    if (type === undefined || type === 'object')
      throw new Error(
        `${operation}: an adapter cannot offer it, because the contract does not say what ${path} of its answer contains. Remove it from \`operations\`.`,
      );
    return quoted(type === 'null' ? 'string or null' : type);
  };

/** Collects the shapes of named schemas, which several answers share. */
const openShapes = (leafOf: LeafOf) => {
  const named = new Map<string, Source>();

  const membersOf = ({ properties = {}, required = [] }: Schema, path: string): Source =>
    `{${Object.entries(properties)
      .map(([name, schema]) => {
        const member = required.includes(name) ? name : `${name}?`;
        return `${quoted(member)}:${shapeOf(schema, `${path}/${name}`)}`;
      })
      .join()}}`;

  const inPlace = (schema: Schema, path: string): Source => {
    const { items, anyOf, properties } = schema;
    if (anyOf !== undefined) {
      const union = unionOf(anyOf);
      return typeof union === 'string' ? quoted(union) : inPlace(union, path);
    }
    if (items !== undefined) return `[${shapeOf(items, `${path}/*`)}]`;
    if (properties !== undefined) return membersOf(schema, path);
    return leafOf(schema, path);
  };

  const shapeOf = (schema: Schema, path: string): Source => {
    const { $id: name } = schema;
    if (name === undefined) return inPlace(schema, path);
    const source = inPlace(schema, path);
    // The same schema has words in an answer of its own, and none where another resource contains it.
    const constant = leafOf === ownLeaf && source.includes('new Set') ? `${name}Answer` : name;
    if ((named.get(constant) ?? source) !== source) throw new Error(`two shapes of the schema ${name}`);
    named.set(constant, source);
    return constant;
  };

  return { named, shapeOf };
};

/** Returns a module that exports the shape of the answer of every operation. Bundlers drop those that are not used. */
const moduleOf = (answersByName: readonly (readonly [name: string, answers: object])[], leafOf: LeafOf): string => {
  const { named, shapeOf } = openShapes(leafOf);
  const exported = answersByName.map(([name, answers]) => {
    // Through JSON, which drops the marks that the schema builder leaves for its own types.
    const schema = JSON.parse(JSON.stringify(answers)) as Schema;
    return `export const ${name}=${shapeOf(schema, '')};\n`;
  });
  const constants = Array.from(named, ([name, source]) => `const ${name}=${source};\n`);
  return [...constants, ...exported].join('');
};

/** Writes `<folder>/answers.js`, for the callers of a deployment. */
export const writeAnswerShapes = async (
  folder: string,
  entries: Readonly<Record<string, OperationEntry>>,
): Promise<void> => {
  const answers = Object.entries(entries).map(([name, entry]) => [name, entry.answers] as const);
  await writeChanged(`${folder}/answers.js`, moduleOf(answers, ownLeaf));
};

/** Returns the types of `answers.js` of the whole contract. */
export const answerTypes = (): string =>
  `import type { AnswerShape } from '../../lib/contract/answer-shape.ts';\n${Object.keys(contract)
    .map((name) => `export declare const ${name}: AnswerShape;\n`)
    .join('')}`;

/**
 * Writes `<folder>/answers/<operation>.js` for each operation that an adapter maps. Answers to commands have neither the
 * customer nor free texts, because the journal stores them.
 *
 * @throws Error for an operation whose answer no shape can bound
 */
export const writeCoreShapes = async (
  folder: string,
  entries: Readonly<Record<string, OperationEntry>>,
): Promise<void> => {
  // A module for each operation: the answer to a command has fewer members than the schemas of the same names elsewhere.
  for (const [name, { answers, idempotencyKey }] of Object.entries(entries)) {
    if (servedNames.includes(name)) continue;
    const answered = [[name, idempotencyKey ? commandAnswer(answers) : answers]] as const;
    await writeChanged(`${folder}/answers/${name}.js`, moduleOf(answered, coreLeaf(name)));
  }
};
