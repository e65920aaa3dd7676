import { asyncApi } from '../../../contract/async-api.ts';
import type { ErrorText } from '../../../contract/error-texts.ts';
import { errors, type ErrorCode } from '../../../contract/errors.ts';
import { examplePrefix } from '../../../contract/events/example-prefix.ts';
import { codesIn, type Described, textsOf } from '../../../contract/openapi.ts';
import { publishedApi } from '../policy-document/published-api.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Schema } from '../typescript.ts';
import { fieldColumns, fieldRows, limitsText, referencedName, typeText } from './fields.ts';
import { code, heading, json, linkTo, type Page, paragraph, table } from './page.ts';

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly description: string; readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
};
type Message = {
  readonly title: string;
  readonly summary: string;
  readonly payload: { readonly properties: { readonly data: Schema } };
  readonly examples?: readonly { readonly payload: unknown }[];
};

type Components = {
  readonly responses: OperationObject['responses'];
  readonly schemas: Readonly<Record<string, Schema>>;
};

/** The documents show examples of this deployment. */
export const exampleUrl = 'https://returns.example.com';

const scopeOf = ({ security }: OperationObject): string | undefined =>
  security.flatMap((entry) => Object.values(entry).flat())[0];

const parameterRows = (parameters: readonly Parameter[]) =>
  parameters.map(({ name, in: location, required, description = '', schema }) => [
    `\`${name}\``,
    `${typeText(schema)}, ${location}`,
    required ? 'yes' : 'no',
    [description.replace(/(?<![.!?])$/, '.'), limitsText(schema)].filter(Boolean).join(' '),
  ]);

const isCode = (name: unknown): name is ErrorCode => typeof name === 'string' && Object.hasOwn(errors, name);

/** The error codes of an operation, in the order of their status. */
const codesOf = ({ responses }: OperationObject, shared: OperationObject['responses']): readonly ErrorCode[] =>
  Object.values(responses).flatMap((response) => {
    const { content } = response.$ref === undefined ? response : (shared[referencedName(response.$ref)] ?? {});
    const schema = content?.['application/problem+json']?.schema;
    return (schema?.properties?.['code']?.enum ?? []).filter(isCode);
  });

/** The headers of a request, with a variable of the shell for each value that the caller has. */
export const headersOf = (operation: OperationObject): readonly (readonly [name: string, value: string])[] => {
  const takes = (header: string) => operation.parameters.some(({ name }) => name === header);
  const needs = (header: string) => operation.parameters.some(({ name, required }) => name === header && required);
  return [
    ...(scopeOf(operation) === undefined ? [] : [['authorization', 'Bearer $token'] as const]),
    ...(takes('Idempotency-Key') ? [['idempotency-key', '$key'] as const] : []),
    ...(needs('If-Match') ? [['if-match', '$etag'] as const] : []),
    ...(takes('If-None-Match') ? [['if-none-match', '*'] as const] : []),
    ...(operation.requestBody === undefined ? [] : [['content-type', 'application/json'] as const]),
  ];
};

/** The example of an operation for a shell. The caller replaces the parameters of the path. */
const curlOf = (method: string, path: string, operation: OperationObject, body: unknown): string => {
  const verb = method === 'get' || (method === 'post' && body !== undefined) ? '' : ` -X ${method.toUpperCase()}`;
  const lines = [
    `curl${verb} "${exampleUrl}${basePath}${path}"`,
    ...headersOf(operation).map(([name, value]) => `  -H "${name}: ${value}"`),
    // A single quote ends the argument of a shell.
    ...(body === undefined ? [] : [`  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\\''`)}'`]),
  ];
  return lines.join(' \\\n');
};

const resolved = (schema: Schema, schemas: Components['schemas']): Schema =>
  schemas[referencedName(schema.$ref ?? '')] ?? schema;

const operationPage = (
  method: string,
  path: string,
  operation: OperationObject,
  { responses: shared, schemas }: Components,
  errorTexts: Readonly<Record<ErrorCode, ErrorText>>,
): Page => {
  const { operationId: id, summary, description, parameters, requestBody, responses } = operation;
  const scope = scopeOf(operation);
  const body = requestBody?.content['application/json'];
  const [status, success] = Object.entries(responses).find(([name]) => name.startsWith('2')) ?? [];
  const answer = success?.content?.['application/json'];
  return {
    group: 'operations',
    id,
    title: summary,
    summary: `\`${method.toUpperCase()} ${basePath}${path}\``,
    section: operation.tags[0] ?? 'service',
    blocks: [
      code('http', `${method.toUpperCase()} ${basePath}${path}`),
      paragraph(scope === undefined ? 'Needs no token.' : `Needs the scope \`${scope}\`.`),
      paragraph(description),
      ...table('Parameters', ['Name', 'Type', 'Required', 'Meaning'], parameterRows(parameters)),
      ...(requestBody === undefined || body === undefined
        ? []
        : [heading('Request body'), paragraph(`${typeText(body.schema)}. ${requestBody.description}.`)]),
      ...(body === undefined
        ? []
        : table('Fields of the body', fieldColumns, fieldRows(resolved(body.schema, schemas)))),
      heading('Example request'),
      code('sh', curlOf(method, path, operation, body?.example)),
      ...(answer === undefined
        ? []
        : [
            heading(`Response ${status ?? ''}`),
            paragraph(`${typeText(answer.schema)}.`),
            ...(answer.example === undefined ? [] : [json(answer.example)]),
          ]),
      ...table(
        'Errors',
        ['Status', 'Code', 'When'],
        codesOf(operation, shared).map((name) => [
          String(errors[name]),
          linkTo('errors', name),
          errorTexts[name].cause,
        ]),
      ),
    ],
  };
};

const errorPage = (name: ErrorCode, { cause, check, fix }: ErrorText, operations: readonly string[]): Page => {
  return {
    group: 'errors',
    id: name,
    title: name,
    summary: cause,
    section: `Status ${errors[name]}`,
    blocks: [
      paragraph(`HTTP status ${errors[name]}. ${cause}`),
      heading('How to see it'),
      paragraph(check),
      heading('How to fix it'),
      paragraph(fix),
      ...(operations.length === 0
        ? []
        : [heading('Operations'), paragraph(operations.map((id) => linkTo('operations', id)).join(', '))]),
    ],
  };
};

const eventPage = (type: string, { title, summary, payload, examples = [] }: Message): Page => ({
  group: 'events',
  id: type,
  title,
  summary,
  section: type.slice(0, type.indexOf('.')),
  blocks: [
    code('text', `${examplePrefix}.${type}`),
    paragraph(summary),
    ...table('Fields of data', fieldColumns, fieldRows(payload.properties.data)),
    ...examples.flatMap((example) => [heading('Example'), json(example.payload)]),
  ],
});

const contentOf = (schema: Schema) => {
  const { properties, oneOf = [] } = schema;
  if (properties !== undefined) return table('Fields', fieldColumns, fieldRows(schema));
  if (oneOf.some((value) => 'const' in value))
    return table(
      'Values',
      ['Value', 'Meaning'],
      oneOf.map(({ const: value, description = '' }) => [`\`${String(value)}\``, description]),
    );
  return [paragraph([`${typeText(schema)}.`, limitsText(schema)].filter(Boolean).join(' '))];
};

const typePage = (name: string, schema: Schema): Page => ({
  group: 'types',
  id: name,
  title: name,
  summary: schema.description ?? '',
  section: 'Types',
  blocks: [...(schema.description === undefined ? [] : [paragraph(schema.description)]), ...contentOf(schema)],
});

/** An operation with its place in the OpenAPI document. */
export type PlacedOperation = {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
};

/** Returns the OpenAPI document of a deployment. */
export const readOpenApi = (described: Described) =>
  publishedApi(`${exampleUrl}/connect/token`, described) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
    readonly components: Components;
  };

/** All operations, in the order of the OpenAPI document. */
export const operationsOf = ({ paths }: Pick<ReturnType<typeof readOpenApi>, 'paths'>): readonly PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** All pages of the reference, in the order in which readers see them. */
export const referencePages = (described: Described): readonly Page[] => {
  const { errors: errorTexts } = textsOf(described);
  const { paths, components } = readOpenApi(described);
  const events = asyncApi(examplePrefix) as unknown as {
    components: { messages: Readonly<Record<string, Message & { name: string }>>; schemas: typeof components.schemas };
  };
  // A deployment without their document has no events.
  const hasEvents = Object.hasOwn(described.entries, 'asyncapi');
  const { messages, schemas } = hasEvents ? events.components : { messages: {}, schemas: {} };
  const operations = operationsOf({ paths });
  const users = Map.groupBy(
    operations.flatMap(({ operation }) =>
      codesOf(operation, components.responses).map((name) => ({ name, id: operation.operationId })),
    ),
    ({ name }) => name,
  );
  return [
    ...operations.map(({ path, method, operation }) => operationPage(method, path, operation, components, errorTexts)),
    ...Object.values(messages).map((message) => eventPage(message.name.slice(examplePrefix.length + 1), message)),
    ...codesIn(described).map((name) => errorPage(name, errorTexts[name], users.get(name)?.map(({ id }) => id) ?? [])),
    ...Object.entries({ ...schemas, ...components.schemas })
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, schema]) => typePage(name, schema)),
  ];
};
