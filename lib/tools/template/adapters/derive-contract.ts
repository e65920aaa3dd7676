import type { Adapter, OfferableName } from '../../../adapters/adapter.ts';
import { lineCommands } from '../../../adapters/core.ts';
import { contract, type OperationName } from '../../../contract/contract.ts';
import type { OperationEntry } from '../../../contract/entry.ts';
import { type ErrorCode, errors } from '../../../contract/errors.ts';
import { suggestion } from '../../../runtime/nearest.ts';
import { parseFixedHeaders } from '../../../runtime/service-access.ts';
import { neutralSummary } from '../../../contract/neutral-text.ts';
import { acceptedInput, coreAnswer, firstStep, withOpaqueIds } from './core-schema.ts';
import { answerExample, requestExample } from './derive-example.ts';

/* Makes the contract of an adapter's deployment: the operations that the adapter offers, with the core as their answers. */

/** An adapter whose types are no longer of interest. */
export type AnyAdapter = Adapter<string, OfferableName>;

type AnyMapping = AnyAdapter['operations'][OfferableName];

const served = ['health', 'openapi'] as const satisfies readonly OperationName[];

/** The operations that each deployment serves itself. */
export const servedNames: readonly string[] = served;

const entryOf = (name: OperationName): OperationEntry => contract[name];

/** The health check of our own service reads its dependencies, and that of an adapter its probe. */
const servedEntry = (name: (typeof served)[number]): OperationEntry =>
  name === 'health'
    ? {
        ...entryOf(name),
        description:
          'The operation reads something small from the Returns Service, with a token. It fails as that read does.',
      }
    : entryOf(name);

const requiredNames = ({ query, body }: OperationEntry): readonly string[] =>
  [query, body].flatMap(({ required }) => [...(required ?? [])]);

/** Returns the header in which a command has its idempotency key; undefined for another rule, and for a read. */
export const keyHeaderOf = (mapping: AnyMapping): string | undefined =>
  'repeat' in mapping && mapping.repeat.rule === 'header' ? mapping.repeat.header : undefined;

/** @throws Error when a command has its idempotency key in a header that requests have already: Authorization */
const checkKeyHeader = (name: string, mapping: AnyMapping): void => {
  const header = keyHeaderOf(mapping);
  if (header === undefined) return;
  if (!/^idempotency-key$/i.test(header) && parseFixedHeaders({ [header]: 'key' }) === undefined)
    throw new Error(`${name}: the header of its rule must be one that requests have not already, and is ${header}`);
};

/** @throws Error when the mapping does not accept a field that the contract requires */
const checkAccepted = (name: string, entry: OperationEntry, accepts: readonly string[]): void => {
  const names = new Set(accepts.map(firstStep));
  const missing = requiredNames(entry).find((required) => !names.has(required));
  if (missing !== undefined) throw new Error(`${name}: accepts must name ${missing}, which the contract requires`);
};

const repeatTexts = {
  header: 'A repeat with the same Idempotency-Key has no further effect: the Returns Service knows the key.',
  'natural key':
    'A repeat with the same Idempotency-Key has no further effect: the Returns Service finds the first request.',
  'read first':
    'A repeat with the same Idempotency-Key is not sent again. It reads the return, and answers with it if the effect is there. Otherwise it fails with `timeout`.',
  never:
    'A repeat with the same Idempotency-Key is not sent again. If the first request has no known answer, it fails with `timeout`.',
} as const;

const descriptionOf = ({ title }: AnyAdapter, mapping: AnyMapping): string =>
  [
    `The operation of the service that this deployment speaks to: ${title}. It decides what is allowed.`,
    ...('repeat' in mapping ? [repeatTexts[mapping.repeat.rule]] : []),
  ].join('\n\n');

/**
 * The codes of the service's own errors, those that mappings find, and that of a cursor. A command may have an error that
 * ours has not. The runner answers with no other code.
 */
const errorsOf = (
  { failures, ownFailures = [] }: AnyAdapter,
  { idempotencyKey, errors }: OperationEntry,
  accepts: readonly string[],
): readonly ErrorCode[] => [
  ...new Set([
    ...Object.values(failures).filter((code) => idempotencyKey || errors.includes(code)),
    ...ownFailures.filter((code) => errors.includes(code)),
    ...(accepts.includes('cursor') ? (['invalid_cursor'] as const) : []),
    'dependency_refused' as const,
  ]),
];

const offeredEntry = (adapter: AnyAdapter, name: OfferableName, hasLineIds: boolean): OperationEntry => {
  const entry = entryOf(name);
  const mapping = adapter.operations[name];
  const accepts: readonly string[] = mapping.accepts;
  checkKeyHeader(name, mapping);
  checkAccepted(name, entry, accepts);
  const acceptedOf = (schema: { readonly properties: object }) =>
    accepts.filter((path) => firstStep(path) in schema.properties);
  const unknown = accepts.find(
    (path) => !(firstStep(path) in entry.query.properties) && !(firstStep(path) in entry.body.properties),
  );
  if (unknown !== undefined) throw new Error(`${name}: accepts names ${unknown}, which the contract does not have`);
  const body = acceptedInput(entry.body, acceptedOf(entry.body));
  const answers = coreAnswer(entry.answers, hasLineIds);
  // The schemas are plain JSON from here on: nothing but the generators reads them.
  return {
    ...entry,
    summary: neutralSummary(entry.summary),
    description: descriptionOf(adapter, mapping),
    params: withOpaqueIds(entry.params),
    query: acceptedInput(entry.query, acceptedOf(entry.query)),
    body,
    answers,
    // The runner rejects the header. An operation that ignored it would hide that.
    ifMatch: 'optional',
    dryRun: false,
    errors: errorsOf(adapter, entry, accepts),
    example: {
      body: requestExample(entry.example.body, body),
      output: answerExample(entry.example.output, answers),
    },
  } as unknown as OperationEntry;
};

const codes = Object.keys(errors);

/** @throws Error for a code that the contract does not have */
const checkCodes = ({ name, failures, ownFailures = [] }: AnyAdapter): void => {
  const named = [...Object.entries(failures), ...ownFailures.map((code) => ['ownFailures', code] as const)];
  const unknown = named.find(([, code]) => !codes.includes(code));
  if (unknown === undefined) return;
  const [key, code] = unknown;
  const member = key === 'ownFailures' ? key : `failures[${JSON.stringify(key)}]`;
  throw new Error(
    `lib/adapters/${name}/adapter.ts: ${member} names "${code}", which is no error code.` +
      (suggestion(code, codes) || ` There are ${codes.join(', ')}.`),
  );
};

/**
 * Returns the entries of an adapter's deployment, by name.
 *
 * @throws Error that names the operation and the field, for a list of accepted fields that does not fit the contract, and
 * for an error code that the contract does not have
 */
export const offeredEntries = (adapter: AnyAdapter): Readonly<Record<string, OperationEntry>> => {
  checkCodes(adapter);
  const names = Object.keys(adapter.operations) as OfferableName[];
  const hasLineIds = names.some((name) => (lineCommands as readonly string[]).includes(name));
  return Object.fromEntries([
    ...names.map((name) => [name, offeredEntry(adapter, name, hasLineIds)] as const),
    ...served.map((name) => [name, servedEntry(name)] as const),
  ]);
};
