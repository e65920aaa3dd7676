import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The keywords of JSON Schema 2020-12 that the generators support. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
};

/** A schema of the document, and its validator. */
export type Checked = { readonly schema: Schema; readonly validate: ValidateFunction };

export type Parameter = Checked & {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
};

export type Answerable = {
  readonly description: string;
  /** By media type. */
  readonly content: ReadonlyMap<string, ValidateFunction>;
  readonly headers: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly validate: ValidateFunction;
  }[];
};

/** An operation as a client knows it from the document only. */
export type Operation = {
  readonly id: string;
  readonly method: string;
  /** With the server's base path. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: (Checked & { readonly mediaTypes: readonly string[]; readonly required: boolean }) | undefined;
  /** By status. */
  readonly responses: ReadonlyMap<string, Answerable>;
  /** The scope that a token needs, or undefined where no token is needed. */
  readonly scope: string | undefined;
};

export type ApiDocument = {
  readonly operations: readonly Operation[];
  /** Returns a schema with its reference resolved and its `allOf` merged. */
  readonly resolve: (schema: Schema) => Schema;
};

type Raw = { readonly [name: string]: Raw };
type RawParameter = { readonly name: string; readonly in: Parameter['in']; readonly required?: boolean };

const step = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns a reader of JSON Pointers of the document, which follows references. */
const reader = (document: Raw) => {
  const at = (pointer: string): Raw => {
    const steps = pointer.split('/').slice(1);
    return steps.reduce((inner, name) => inner[name.replaceAll('~1', '/').replaceAll('~0', '~')] ?? {}, document);
  };
  const behind = (pointer: string): string => {
    const { $ref } = at(pointer) as { $ref?: string };
    return $ref === undefined ? pointer : behind($ref.slice(1));
  };
  return { at, behind };
};

/** Creates a value on first use: compiling every schema of a document takes seconds, and few tests need all. */
const later = <Made>(make: () => Made): (() => Made) => {
  let created: { readonly it: Made } | undefined;
  return () => (created ??= { it: make() }).it;
};

/** Reads an OpenAPI 3.1 document. */
export const readDocument = (text: string): ApiDocument => {
  const document = JSON.parse(text) as Raw;
  const { at, behind } = reader(document);
  // Without its optimizer, ajv compiles in half the time: each schema checks only a few values.
  const code = { optimize: false };
  const options = { strict: true, allowUnionTypes: true, allErrors: true, inlineRefs: false, code };
  const ajv = new Ajv2020(options).addVocabulary(['x-expected']);
  formats.default(ajv);
  // The document is no schema, but its schemas refer to each other from its root.
  ajv.addVocabulary(Object.keys(document)).addSchema(document, 'api');
  // Most operations share the same responses, headers and parameters: each is compiled once.
  const compiled = new Map<string, Checked>();
  const checked = (pointer: string): Checked => {
    const known = compiled.get(pointer);
    if (known !== undefined) return known;
    const created = { schema: at(pointer), validate: ajv.compile({ $ref: `api#${pointer}` }) };
    compiled.set(pointer, created);
    return created;
  };
  const names = (pointer: string) => Object.keys(at(pointer));

  const answerable = (pointer: string): Answerable => {
    const content = later(
      () =>
        new Map(
          names(`${pointer}/content`).map((type) => [
            type,
            checked(`${pointer}/content/${step(type)}/schema`).validate,
          ]),
        ),
    );
    const headers = later(() =>
      names(`${pointer}/headers`).map((name) => {
        const header = behind(`${pointer}/headers/${name}`);
        const { required = false } = at(header) as { required?: boolean };
        return { name, required, validate: checked(`${header}/schema`).validate };
      }),
    );
    return {
      description: (at(pointer) as { description?: string }).description ?? '',
      get content() {
        return content();
      },
      get headers() {
        return headers();
      },
    };
  };

  const bodyOf = (pointer: string): Operation['body'] => {
    const mediaTypes = names(`${pointer}/content`);
    const [usual] = mediaTypes;
    if (usual === undefined) return undefined;
    const { required = false } = at(pointer) as { required?: boolean };
    return { mediaTypes, required, ...checked(`${pointer}/content/${step(usual)}/schema`) };
  };

  const parametersOf = (pointer: string): Parameter[] =>
    names(pointer).map((index) => {
      const parameter = behind(`${pointer}/${index}`);
      const { name, in: where, required = false } = at(parameter) as unknown as RawParameter;
      return { name, in: where, required, ...checked(`${parameter}/schema`) };
    });

  const [server] = (document['servers'] ?? []) as unknown as { url: string }[];
  const operationAt = (path: string, method: string): Operation => {
    const pointer = `/paths/${step(path)}/${method}`;
    const { operationId, security } = at(pointer) as { operationId?: string; security?: Record<string, string[]>[] };
    const parameters = later(() => parametersOf(`${pointer}/parameters`));
    const body = later(() => bodyOf(behind(`${pointer}/requestBody`)));
    const responses = later(
      () =>
        new Map(
          names(`${pointer}/responses`).map((status) => [status, answerable(behind(`${pointer}/responses/${status}`))]),
        ),
    );
    return {
      id: operationId ?? pointer,
      method: method.toUpperCase(),
      path: `${server?.url ?? ''}${path}`,
      get parameters() {
        return parameters();
      },
      get body() {
        return body();
      },
      get responses() {
        return responses();
      },
      scope: Object.values(security?.[0] ?? {})[0]?.[0],
    };
  };

  const resolve = (schema: Schema): Schema => {
    const { $ref, allOf = [], ...own } = schema;
    const parts: Schema[] = [own, ...allOf.map(resolve)];
    if ($ref !== undefined) parts.push(resolve(at($ref.slice(1))));
    return Object.assign({}, ...parts.toReversed(), {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Schema['properties'],
      required: parts.flatMap(({ required = [] }) => required),
    }) as Schema;
  };

  return {
    operations: names('/paths').flatMap((path) =>
      names(`/paths/${step(path)}`).map((method) => operationAt(path, method)),
    ),
    resolve,
  };
};

/** Returns the document of the contract, as the build wrote it. Files of one worker share its compiled schemas. */
export const contractDocument = later(() => readDocument(readFileSync('dist/contract/openapi.json', 'utf8')));
