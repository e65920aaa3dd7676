import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { offerCommand, type OfferedCommand } from '../../adapters/command.ts';
import type { CoreShape } from '../../adapters/fit-core.ts';
import { OperationFailure } from '../../adapters/failure.ts';
import { offerRead, type RunnableMapping } from '../../adapters/run.ts';
import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { scopes } from '../../contract/operation.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import { writeCoreShapes } from '../build/answer-shapes.ts';
import { type AnyAdapter, keyHeaderOf } from '../template/adapters/derive-contract.ts';
import { openTap, type Tap, type Tapped } from './tap.ts';

/* The operations of an adapter as its functions run them: the same runner, journal and checks of answers. */

export type Outcome = {
  readonly result: Result<Reply<never>>;
  /** The members that the mapping returned, and that the contract does not have. They did not leave. */
  readonly foreignMembers: readonly string[];
  /** The error of a mapping that met an unexpected answer: its name and place, and no value. */
  readonly thrown: string | undefined;
  readonly tapped: Tapped;
};

export type OfferedOperation = {
  readonly name: string;
  readonly isCommand: boolean;
  /** The rule of repeats of a command. */
  readonly rule: string | undefined;
  /** The header with the key of a command, in lower case, for the rule `header`. */
  readonly keyHeader: string | undefined;
  readonly entry: OperationEntry;
  readonly run: (input: JsonObject, key: string) => Promise<Outcome>;
};

/** The time of one call. A function of an API has a little more. */
const callMs = 10_000;

const callWith = (key: string): Call => ({
  caller: { clientId: 'conform', scopes },
  idempotencyKey: key,
  dryRun: false,
  traceId: newTraceId(),
  causationId: randomUUID(),
  deadline: Date.now() + callMs,
});

/** The members for the runner, which it replaces. */
const forRunner: ReadonlySet<string> = new Set(['state', 'actions', 'next']);

type Members = Readonly<Record<string, CoreShape>>;

const isMembers = (shape: CoreShape): shape is Members & CoreShape =>
  typeof shape === 'object' && !Array.isArray(shape) && !(shape instanceof RegExp) && !(shape instanceof Set);

/** @param whole the shape of a read: a command leaves out the customer and free texts on purpose */
const foreignMembersOf = (mapped: unknown, whole: CoreShape, path = ''): readonly string[] => {
  if (Array.isArray(mapped) && Array.isArray(whole))
    return mapped.flatMap((item: unknown) => foreignMembersOf(item, whole[0] as CoreShape, `${path}/*`));
  if (!isObject(mapped) || !isMembers(whole)) return [];
  return Object.entries(mapped).flatMap(([name, value]) => {
    const inner = whole[name] ?? whole[`${name}?`];
    if (value === undefined || (inner === undefined && forRunner.has(name))) return [];
    return inner === undefined ? [`${path}/${name}`] : foreignMembersOf(value, inner, `${path}/${name}`);
  });
};

const shapesIn = async (folder: string, names: readonly string[]): Promise<ReadonlyMap<string, CoreShape>> => {
  const shapes = names.map(async (name) => {
    const module = (await import(pathToFileURL(join(folder, 'answers', `${name}.js`)).href)) as Record<string, unknown>;
    return [name, module[name] as CoreShape] as const;
  });
  return new Map(await Promise.all(shapes));
};

/** Returns the name of an error and the file that threw it. Its message may quote a value. */
const placeOf = (error: unknown): string => {
  const { name, stack = '' } = error instanceof Error ? error : new Error();
  return `${name} ${/\bat .*\/.*/.exec(stack)?.[0] ?? ''}`.trim();
};

/** What a mapping did in the last call. */
type Last = { readonly tapped: Tapped; mapped?: unknown; thrown?: string };

const noTapped = (): Tapped => ({ calls: [], exchanges: [] });

const operationOf = (
  adapter: AnyAdapter,
  [name, entry]: readonly [string, OperationEntry],
  { shape, whole, tap }: { readonly shape: CoreShape; readonly whole: CoreShape; readonly tap: Tap },
): OfferedOperation => {
  const known = adapter.operations[name as keyof AnyAdapter['operations']];
  const mapping = known as OfferedCommand['mapping'];
  const repeat = entry.idempotencyKey ? mapping.repeat : undefined;
  let last: Last = { tapped: noTapped() };
  const run: RunnableMapping['run'] = async (input, service) => {
    try {
      const found = await mapping.run(input, tap.open(service, last.tapped));
      last.mapped = structuredClone(found);
      return found;
    } catch (error) {
      if (!(error instanceof OperationFailure)) last.thrown = placeOf(error);
      throw error;
    }
  };
  const rules = { ...adapter, errorIn: tap.errorIn };
  const offered = { adapter: rules, operation: toOperation(name, entry), mapping: { ...mapping, run }, shape };
  const runOffered = entry.idempotencyKey ? offerCommand(offered) : offerRead(offered);
  return {
    name,
    entry,
    isCommand: entry.idempotencyKey,
    rule: repeat?.rule,
    keyHeader: keyHeaderOf(known)?.toLowerCase(),
    run: async (input, key) => {
      last = { tapped: noTapped() };
      const result = await runOffered(input, callWith(key));
      const { mapped, thrown, tapped } = last;
      return { result, foreignMembers: [...new Set(foreignMembersOf(mapped, whole))], thrown, tapped };
    },
  };
};

/**
 * Returns the operations that an adapter offers, in the environment of this process.
 *
 * @param folder for files of this run
 */
export const offeredOperations = async (
  adapter: AnyAdapter,
  entries: Readonly<Record<string, OperationEntry>>,
  folder: string,
): Promise<readonly OfferedOperation[]> => {
  const own = Object.fromEntries(Object.entries(entries).filter(([name]) => name in adapter.operations));
  const reads = Object.entries(own).map(([name, entry]) => [name, { ...entry, idempotencyKey: false }] as const);
  await writeCoreShapes(join(folder, 'shapes'), own);
  await writeCoreShapes(join(folder, 'whole'), Object.fromEntries(reads));
  const shapes = await shapesIn(join(folder, 'shapes'), Object.keys(own));
  const wholes = await shapesIn(join(folder, 'whole'), Object.keys(own));
  const tap = openTap(adapter);
  return Object.entries(own).map((named) => {
    const [name] = named;
    return operationOf(adapter, named, {
      shape: shapes.get(name) ?? 'any',
      whole: wholes.get(name) ?? 'any',
      tap,
    });
  });
};
