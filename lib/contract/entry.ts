import type Type from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Operation, Scope } from './operation.ts';
import { closed } from './scalars.ts';

/*
 * An entry in lib/contract/<resource>/ defines one operation: its schemas, texts and example.
 * Only the build reads entries. Functions and the client contain a record of each: lib/contract/operations.ts.
 */

const nothing = closed({});
type Nothing = typeof nothing;

/** The schema of a response: one object, or a union of several. */
export type ResponseSchema = Type.TObject | Type.TUnion;

/** The fields that all operations of a kind share. An entry may override `ifMatch` and `success`. */
type Kind = Pick<Operation, 'method' | 'idempotencyKey' | 'ifMatch' | 'dryRun' | 'success'> & {
  readonly scope?: Scope;
};

/** How an agent uses an operation as a tool of the Model Context Protocol. */
export type AgentTool = {
  /** When an agent calls it, in one or two sentences. */
  readonly use: string;
  /** The fields of the input that agents need. @default all */
  readonly input?: readonly string[];
  /** Whether a deployment may require that a person confirms it: it pays, or it rejects. */
  readonly confirmedByPerson?: true;
};

/** The fields of an entry. Absent path, query and body are empty objects. */
type EntryInput<
  Params extends Type.TObject,
  Query extends Type.TObject,
  Body extends Type.TObject,
  Answers extends ResponseSchema,
> = {
  readonly path: string;
  readonly summary: string;
  /** In this order: preconditions, effect, errors, idempotency. */
  readonly description: string;
  /** Set for an operation that agents may call. */
  readonly tool?: AgentTool;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Answers;
  readonly localized?: true;
  readonly ifMatch?: Operation['ifMatch'];
  readonly success?: Operation['success'];
  /** The error codes of this operation, without the codes that all operations share. */
  readonly errors?: readonly ErrorCode[];
  readonly example: {
    readonly body?: NoInfer<Type.Static<Body>>;
    readonly output: NoInfer<Type.Static<Answers>>;
  };
};

/** The definition of one operation, without its name. */
export type OperationEntry<
  Params extends Type.TObject = Type.TObject,
  Query extends Type.TObject = Type.TObject,
  Body extends Type.TObject = Type.TObject,
  Answers extends ResponseSchema = ResponseSchema,
> = Omit<Operation, 'name' | 'query' | 'errors'> & {
  readonly description: string;
  readonly tool?: AgentTool;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answers: Answers;
  readonly errors: readonly ErrorCode[];
  readonly example: { readonly body: unknown; readonly output: unknown };
};

type Scoped<Fixed extends Kind> = Fixed extends { readonly scope: Scope } ? unknown : { readonly scope: Scope | null };

const kind =
  <const Fixed extends Kind>(fixed: Fixed) =>
  <
    Answers extends ResponseSchema,
    Params extends Type.TObject = Nothing,
    Query extends Type.TObject = Nothing,
    Body extends Type.TObject = Nothing,
  >({
    params,
    query,
    body,
    example,
    ...rest
  }: EntryInput<Params, Query, Body, Answers> & Scoped<Fixed>): OperationEntry<Params, Query, Body, Answers> =>
    ({
      errors: [],
      ...fixed,
      ...rest,
      params: params ?? nothing,
      query: query ?? nothing,
      body: body ?? nothing,
      example: { body: example.body ?? {}, output: example.output },
      // The types infer `Nothing` for an absent schema. The compiler cannot follow that here.
    }) as unknown as OperationEntry<Params, Query, Body, Answers>;

/** A GET. */
export const reading = kind({
  method: 'GET',
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
});

/** A POST that stores nothing and therefore needs no Idempotency-Key. */
export const computing = kind({
  method: 'POST',
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
});

/** A POST that creates a resource. */
export const creating = kind({
  method: 'POST',
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
});

/** A PUT that creates or replaces the resource of its path. */
export const replacing = kind({
  method: 'PUT',
  idempotencyKey: false,
  ifMatch: 'required_or_none',
  dryRun: true,
  success: [200, 201],
});

/** A PATCH with a JSON Merge Patch (RFC 7396). */
export const patching = kind({
  method: 'PATCH',
  idempotencyKey: false,
  ifMatch: 'required',
  dryRun: true,
  success: [200],
});

/** A DELETE. */
export const deleting = kind({
  method: 'DELETE',
  idempotencyKey: false,
  ifMatch: 'optional',
  dryRun: true,
  success: [200],
});

const commanding = { method: 'POST', idempotencyKey: true, ifMatch: 'optional', dryRun: true, success: [200] } as const;

/** A POST that changes a resource. A repeat with the same key is safe. If-Match binds it to a version. */
export const command = kind({ scope: 'returns:write', ...commanding });

/** A command for administrators only. */
export const adminCommand = kind({ scope: 'returns:admin', ...commanding });

/** Returns the record of an entry that functions and the client contain. */
export const toOperation = (name: string, entry: OperationEntry): Operation => {
  const { summary, method, path, scope, query, idempotencyKey, ifMatch, dryRun, localized, success, errors } = entry;
  return {
    name,
    summary,
    method,
    path,
    scope,
    query: Object.keys(query.properties),
    idempotencyKey,
    ifMatch,
    dryRun,
    ...(localized === undefined ? {} : { localized }),
    success,
    errors,
  };
};
