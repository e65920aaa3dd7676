import { randomUUID } from 'node:crypto';
import { pathNames } from '../../contract/operation.ts';
import { toOperation } from '../../contract/entry.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import type { AdapterBuild } from '../template/adapters/read-adapter.ts';
import { openContainer } from './container.ts';
import type { Description } from './description.ts';
import { answerFindings, checked, rowOf, type Row, unknownStatesIn } from './findings.ts';
import { inputDifferences } from './input.ts';
import { type OfferedOperation, offeredOperations } from './offered-operations.ts';
import type { RecordedCase } from './recording.ts';
import { hasNoToken } from './failure-text.ts';
import { sentIn, type Tapped } from './tap.ts';

/*
 * Calls of a service that exists. Reads need no permission. A command is called only for a named return, with an input
 * that the caller gives.
 */

export type CallOptions = {
  readonly serviceUrl: string;
  readonly authUrl: string;
  readonly clientSecret: string;
  /** Parameters of the deployment besides those of the adapter. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly description?: Description | undefined;
  /** The return of reads and commands. @default reads take the first one of the list */
  readonly returnId: string | undefined;
  /** Whether commands are called too. */
  readonly commands: boolean;
  /** Inputs by operation, without the return. */
  readonly inputs: Readonly<Record<string, unknown>>;
};

/** A call, as a case that can be replayed; absent where its answer was an error. */
export type Called = { readonly row: Row; readonly recorded?: RecordedCase };

/** Returns the recorded cases with their operations. */
export const casesOf = (called: readonly Called[]): readonly (readonly [operation: string, RecordedCase])[] =>
  called.flatMap(({ row, recorded }) => (recorded === undefined ? [] : [[row.operation, recorded] as const]));

/** Returns why an operation is not called, or its input. */
const inputOf = (
  { name, isCommand, entry }: OfferedOperation,
  { returnId, commands, inputs }: CallOptions,
  found: string | undefined,
): string | JsonObject => {
  if (isCommand && !commands) return 'a command is called only with --commands';
  if (isCommand && returnId === undefined) return 'a command needs --return';
  const given = isObject(inputs[name]) ? inputs[name] : {};
  const names = pathNames(toOperation(name, entry));
  const id = returnId ?? found;
  const input: JsonObject = { ...given, ...(names.includes('returnId') && id !== undefined && { returnId: id }) };
  const required = [
    ...names,
    ...[entry.query, entry.body].flatMap((schema) => [...((schema.required as readonly string[] | undefined) ?? [])]),
  ];
  const missing = required.find((field) => !(field in input));
  if (missing !== undefined)
    return `its input needs ${missing}: use ${missing === 'returnId' ? '--return' : '--inputs'}`;
  // A body may be empty only by accident: what a command does must be written down.
  if (isCommand && !(name in inputs)) return 'a command needs its input in --inputs, which may be {}';
  const [difference] = inputDifferences(name, entry, input);
  return difference === undefined ? input : `correct it in --inputs: ${difference}`;
};

/** Returns the title of a case: the return with its status, or how many items a page has. */
const titleOf = (input: JsonObject, body: unknown): string => {
  const { returnId = input['returnId'], status, items } = isObject(body) ? body : {};
  if (Array.isArray(items)) return `a page with ${items.length} ${items.length === 1 ? 'item' : 'items'}`;
  return typeof returnId === 'string'
    ? [`return ${returnId}`, status].filter((part) => typeof part === 'string').join(', ')
    : 'an answer of the service';
};

/** Whether each request has an answer, so that a replay can give it. */
const isComplete = ({ calls }: Tapped): boolean => calls.every(({ status }) => status !== undefined);

type Calling = Called & {
  readonly body: unknown;
  /** Whether no other operation gets a token either. */
  readonly isWithoutToken: boolean;
};

const call = async (operation: OfferedOperation, input: JsonObject, { description }: CallOptions): Promise<Calling> => {
  const key = randomUUID();
  const outcome = await operation.run(input, key);
  const { result, tapped } = outcome;
  const body = result.ok ? (result.value.body as unknown) : undefined;
  const [unknownState] = unknownStatesIn(body);
  const recorded: RecordedCase = {
    title: titleOf(input, body),
    input,
    ...(operation.isCommand && { key }),
    exchanges: tapped.exchanges,
  };
  const findings = [
    ...(description === undefined ? [] : checked('requests', sentIn(tapped).flatMap(description.differencesOf))),
    ...answerFindings(outcome, recorded),
  ];
  return {
    row: rowOf(operation, findings),
    ...(result.ok && isComplete(tapped) && { recorded: { ...recorded, ...(unknownState && { unknownState }) } }),
    body,
    isWithoutToken: tapped.calls.some(hasNoToken),
  };
};

const firstReturnIn = (body: unknown): string | undefined => {
  const [first] = isObject(body) && Array.isArray(body['items']) ? (body['items'] as readonly unknown[]) : [];
  return isObject(first) && typeof first['returnId'] === 'string' ? first['returnId'] : undefined;
};

const rankOf = ({ name, isCommand }: OfferedOperation): number => {
  if (isCommand) return 2;
  return name === 'listReturns' ? 0 : 1;
};

const nothing = { requests: 0, answers: 0, states: 0, failures: 0, repeat: 0, recorded: 0 };

/** Calls the offered operations: the list first, then other reads, then commands. */
export const callService = async (
  { adapter, offer }: AdapterBuild,
  options: CallOptions,
): Promise<readonly Called[]> => {
  await using container = await openContainer({
    ...options,
    parameters: { ...adapter.parameters, ...options.parameters },
  });
  const operations = await offeredOperations(adapter, offer.entries, container.folder);
  const called: Called[] = [];
  let found: string | undefined;
  let hasToken = true;
  for (const operation of operations.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    // Further requests may lock the client out.
    const input = hasToken ? inputOf(operation, options, found) : 'there is no token';
    if (typeof input === 'string') {
      const { name, rule } = operation;
      called.push({ row: { operation: name, rule, counts: nothing, differences: [], uncalled: input } });
      continue;
    }
    const { body, isWithoutToken, ...own } = await call(operation, input, options);
    hasToken = !isWithoutToken;
    found ??= operation.name === 'listReturns' ? firstReturnIn(body) : undefined;
    called.push(own);
  }
  return called;
};
