import type Type from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Operation, Scope } from './operation.ts';
import { closed } from './scalars.ts';

/*
 * An operation is stated once, as an entry in lib/contract/<resource>/: what callers send and receive, in schemas and in
 * words. Entries are read at build time only; lib/contract/operations.ts is what functions and the client carry of them.
 */

const nothing = closed({});
type Nothing = typeof nothing;

/** What operations answer with: one object, or one of several kinds. */
export type ResponseSchema = Type.TObject | Type.TUnion;

/** What every operation of a kind has in common; an entry may differ in `ifMatch` and `success`. */
type Kind = Pick<Operation, 'method' | 'idempotencyKey' | 'ifMatch' | 'dryRun' | 'success'> & {
  readonly scope?: Scope;
};

/** What an entry states itself. Path, query and body are empty objects where it states none. */
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
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Answers;
  readonly localized?: true;
  readonly ifMatch?: Operation['ifMatch'];
  readonly success?: Operation['success'];
  /** The error codes beyond those that every operation shares. */
  readonly refuses?: readonly ErrorCode[];
  readonly example: {
    readonly body?: Type.Static<NoInfer<Body>>;
    readonly output: Type.Static<NoInfer<Answers>>;
  };
};

/** The whole statement of one operation, without its name. */
export type OperationEntry<
  Params extends Type.TObject = Type.TObject,
  Query extends Type.TObject = Type.TObject,
  Body extends Type.TObject = Type.TObject,
  Answers extends ResponseSchema = ResponseSchema,
> = Omit<Operation, 'name' | 'query' | 'refusals'> & {
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answers: Answers;
  readonly refuses: readonly ErrorCode[];
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
    ...given
  }: EntryInput<Params, Query, Body, Answers> & Scoped<Fixed>): OperationEntry<Params, Query, Body, Answers> =>
    ({
      refuses: [],
      ...fixed,
      ...given,
      params: params ?? nothing,
      query: query ?? nothing,
      body: body ?? nothing,
      example: { body: example.body ?? {}, output: example.output },
      // An absent schema was inferred as `Nothing`, which the compiler cannot see here.
    }) as unknown as OperationEntry<Params, Query, Body, Answers>;

/** A GET. */
export const reading = kind({
  method: 'GET',
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
});

/** A POST that stores nothing, and so needs no key. */
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

/** A PUT: creates or replaces what its path names. */
export const replacing = kind({
  method: 'PUT',
  idempotencyKey: false,
  ifMatch: 'required_or_none',
  dryRun: true,
  success: [200, 201],
});

/** A PATCH by JSON Merge Patch (RFC 7396). */
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
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
});

const commanding = { method: 'POST', idempotencyKey: true, ifMatch: 'heeded', dryRun: true, success: [200] } as const;

/** A POST that changes a resource: repeatable by its key, and bound to a version where the caller names one. */
export const command = kind({ scope: 'returns:write', ...commanding });

/** A command for administrators only. */
export const adminCommand = kind({ scope: 'returns:admin', ...commanding });

/** What functions and the client carry of an entry. */
export const toOperation = (name: string, entry: OperationEntry): Operation => {
  const { summary, method, path, scope, query, idempotencyKey, ifMatch, dryRun, localized, success, refuses } = entry;
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
    refusals: refuses,
  };
};
