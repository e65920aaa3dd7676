import type Type from 'typebox';
import { adapterTexts } from './adapter-texts.ts';
import { contract } from './contract.ts';
import { extractDefinitions } from './definitions.ts';
import { type DocumentTexts, ownTexts } from './descriptions.ts';
import { type OperationEntry, toOperation } from './entry.ts';
import { type ErrorCode, errors } from './errors.ts';
import { basePath, hasBody, mediaTypes, type Operation, pathNames } from './operation.ts';
import { Problem, type ProblemSchema, problemWith } from './problem.ts';
import { commonResponses, responsesOf } from './responses.ts';
import { acceptLanguage, dryRun, idempotencyKey, ifMatch, onBehalfOf } from './shared-parameters.ts';

/** Codes that any operation may return. */
const shared: readonly ErrorCode[] = [
  'invalid_request',
  'rate_limited',
  'internal_error',
  'dependency_refused',
  'dependency_unavailable',
  'timeout',
];
const withToken: readonly ErrorCode[] = ['invalid_token', 'insufficient_scope'];
/** Only browsers of users cause it. No adapter offers all operations that the console calls. */
const withUser: readonly ErrorCode[] = ['cross_site_request'];
const withBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const withKey: readonly ErrorCode[] = [
  'idempotency_key_required',
  'idempotency_key_reused',
  'idempotency_key_in_progress',
];

/** The error codes of an operation. */
const codesOf = (operation: Operation, isOwn: boolean): ReadonlySet<ErrorCode> =>
  new Set([
    ...shared,
    ...(operation.scope === null ? [] : withToken),
    ...(operation.scope === null || !isOwn ? [] : withUser),
    ...operation.errors,
    ...(hasBody(operation) ? withBody : []),
    ...(operation.idempotencyKey ? withKey : []),
  ]);

const properties = (
  parameters: DocumentTexts['parameters'],
  operation: string,
  schema: Type.TObject,
  where: 'path' | 'query',
) =>
  Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    description: parameters[`${operation}.${name}`] ?? parameters[name],
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));

/** The first step of the path, where that is a kind of resource. */
export const tagOf = ({ path }: Operation, tags: DocumentTexts['tags']): string => {
  const [, first = ''] = path.split('/');
  return first in tags ? first : 'service';
};

/** Whether a request without a body is invalid. A missing body means an empty object. */
const isNeeded = (body: Type.TObject): boolean => {
  const { required = [], minProperties = 0 } = body as { required?: readonly string[]; minProperties?: number };
  return required.length > 0 || minProperties > 0;
};

/** What all operations of a document share. */
type Deployment = {
  readonly texts: DocumentTexts;
  /** Whether the service behind the API is ours: it honours If-Match and Returns-On-Behalf-Of, and browsers call it. */
  readonly isOwn: boolean;
  readonly problem: ProblemSchema;
};

const describe = (operation: Operation, entry: OperationEntry, { texts, isOwn, problem }: Deployment) => ({
  operationId: operation.name,
  summary: operation.summary,
  description: entry.description,
  tags: [tagOf(operation, texts.tags)],
  security: operation.scope === null ? [] : [{ clientCredentials: [operation.scope] }],
  parameters: [
    ...properties(texts.parameters, operation.name, entry.params, 'path'),
    ...properties(texts.parameters, operation.name, entry.query, 'query'),
    ...(operation.dryRun ? [dryRun] : []),
    ...(operation.idempotencyKey ? [idempotencyKey(texts.idempotencyKey)] : []),
    ...(isOwn ? ifMatch[operation.ifMatch] : []),
    ...(operation.localized === true ? [acceptLanguage] : []),
    ...(operation.scope === null || !isOwn ? [] : [onBehalfOf]),
  ],
  ...(!hasBody(operation)
    ? {}
    : {
        requestBody: {
          description: 'JSON in UTF-8, at most 1 MiB',
          required: isNeeded(entry.body),
          content: Object.fromEntries(
            mediaTypes(operation).map((type) => [type, { schema: entry.body, example: entry.example.body }]),
          ),
        },
      }),
  responses: responsesOf(operation, entry, { codes: codesOf(operation, isOwn), errorTexts: texts.errors, problem }),
});

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Entries = Readonly<Record<string, OperationEntry>>;

/** The operations that a document describes, and the kind of service behind an adapter. */
export type Described = { readonly entries: Entries; readonly adapter?: { readonly title: string } };

/** Sorts entries as readers search: by path, reading before writing. */
const ordered = (entries: Entries) =>
  Object.entries(entries).toSorted(
    ([, a], [, b]) => a.path.localeCompare(b.path) || verbs.indexOf(a.method) - verbs.indexOf(b.method),
  );

/** Returns the texts of a document. */
export const textsOf = ({ adapter }: Described): DocumentTexts =>
  adapter === undefined ? ownTexts : adapterTexts(adapter.title);

const whole: Described = { entries: contract };

/** Returns the error codes of a deployment, in the order of their statuses. An adapter gives no others. */
export const codesIn = ({ entries, adapter }: Described): readonly ErrorCode[] => {
  const all = Object.keys(errors) as ErrorCode[];
  if (adapter === undefined) return all;
  const given = Object.entries(entries).flatMap(([name, entry]) => [...codesOf(toOperation(name, entry), false)]);
  const codes = new Set<ErrorCode>([...given, 'operation_not_offered']);
  return all.filter((code) => codes.has(code));
};

const pathsOf = (entries: Entries, deployment: Deployment) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, entry] of ordered(entries)) {
    const operation = toOperation(name, entry);
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = describe(operation, entry, deployment);
    const missing = pathNames(operation).find((parameter) => !(parameter in entry.params.properties));
    if (missing !== undefined) throw new Error(`${name}: no schema for {${missing}}`);
  }
  return paths;
};

/** Returns the members of a record that a document uses. */
const usedOf = (texts: Readonly<Record<string, string>>, used: Iterable<string | null>) => {
  const names = new Set(used);
  return Object.entries(texts).filter(([name]) => names.has(name));
};

/**
 * The OpenAPI 3.1 document of a deployment.
 *
 * @param tokenUrl where clients get their tokens
 * @param described the operations that the deployment offers
 */
export const openApi = (tokenUrl: string, described: Described = whole) => {
  const texts = textsOf(described);
  const isOwn = described.adapter === undefined;
  const problem = isOwn ? Problem : problemWith(codesIn(described));
  const common = [...shared, ...withToken, ...(isOwn ? withUser : [])];
  const { document, definitions } = extractDefinitions(
    {
      paths: pathsOf(described.entries, { texts, isOwn, problem }),
      responses: commonResponses({ codes: new Set(common), errorTexts: texts.errors, problem }),
    },
    '#/components/schemas/',
  );
  const { paths, responses } = document as { paths: object; responses: object };
  const operations = Object.entries(described.entries).map(([name, entry]) => toOperation(name, entry));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Returns Service',
      version: '1.0.0',
      summary: texts.summary,
      description: texts.introduction,
      contact: { name: 'The operator of this deployment', url: 'https://returns.example.com' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: basePath, description: 'This version of the API' }],
    tags: usedOf(
      texts.tags,
      operations.map((operation) => tagOf(operation, texts.tags)),
    ).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      responses,
      schemas: definitions,
      securitySchemes: {
        clientCredentials: {
          type: 'oauth2',
          description:
            'Access tokens of OAuth 2.0 client credentials (RFC 6749, 4.4), sent as bearer tokens (RFC 6750)',
          flows: {
            clientCredentials: {
              tokenUrl,
              scopes: Object.fromEntries(
                usedOf(
                  texts.scopes,
                  operations.map(({ scope }) => scope),
                ),
              ),
            },
          },
        },
      },
    },
  };
};
