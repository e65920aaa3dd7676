import type { OperationName } from '../../../contract/contract.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { finishExport } from './download.ts';
import { exitCodes } from '../../command-line/exit-codes.ts';
import type { OperationInfo } from '../catalogue.ts';
import { callOrNote, type Invocation, printRecord, reportFailure } from './context.ts';
import { finishJob } from './job.ts';
import { runList, shownColumns } from './list.ts';
import { runRange } from './range.ts';
import { safeJson } from '../output/safe-text.ts';
import { tableLines, recordLines } from '../output/record.ts';
import { itemsOf, withReturnTables } from '../output/return-tables.ts';

/** Whether the answer of an operation is negative, though the operation succeeded: the command then ends with 1. */
const negative: Partial<Record<OperationName, (answer: JsonObject) => boolean>> = {
  lintDraft: ({ findings }) =>
    Array.isArray(findings) && findings.some((finding) => isObject(finding) && finding['severity'] === 'error'),
  testDraft: ({ passed }) => passed === false,
  verifyHistory: ({ valid }) => valid === false,
  testWebhookEndpoint: ({ delivered }) => delivered === false,
};

const codeOf = (name: OperationName, answer: JsonObject): number =>
  negative[name]?.(answer) === true ? exitCodes.failed : exitCodes.ok;

/** Reads the whole history of a return. */
const readTimeline = async ({ call, input, settings, signal }: Invocation) => {
  const entries: unknown[] = [];
  const { traceId } = settings;
  for (let cursor: unknown; cursor !== null;) {
    const page = await call(
      'getHistory',
      { returnId: input['returnId'], limit: 200, ...(typeof cursor === 'string' ? { cursor } : {}) },
      { signal, traceId },
    );
    if (!page.ok) return page;
    const { items, nextCursor } = page.value.body;
    entries.push(...(Array.isArray(items) ? (items as readonly unknown[]) : []));
    cursor = typeof nextCursor === 'string' ? nextCursor : null;
  }
  return { ok: true as const, value: entries };
};

/** Returns the results of golden cases with the differences in a table of their own. */
const withDifferences = (body: JsonObject): JsonObject => ({
  ...body,
  cases: itemsOf(body['cases']).map(({ name, passed, missing }) => ({ name, passed, missing })),
  differences: itemsOf(body['cases']).flatMap(({ name, differences }) =>
    itemsOf(differences).map(({ path, expected, found }) => ({
      case: name,
      path,
      expected: JSON.stringify(expected),
      found: JSON.stringify(found),
    })),
  ),
});

/** A person wants the tables of a return, and the possible commands only. */
const forPeople = (name: OperationName, body: JsonObject): JsonObject => {
  if (name === 'testDraft') return withDifferences(body);
  const { allowedActions, ...rest } = withReturnTables(body);
  const possible = Array.isArray(allowedActions)
    ? allowedActions.flatMap((action: unknown) =>
        isObject(action) && action['allowed'] === true ? [action['action']] : [],
      )
    : [];
  return possible.length === 0 ? rest : { ...rest, possibleNow: possible };
};

/** Prints a return with its timeline. As JSON, the return has the additional field `timeline`. */
const printReturn = async (invocation: Invocation, body: JsonObject): Promise<number> => {
  const { terminal, json, info } = invocation;
  const timeline = await readTimeline(invocation);
  if (!timeline.ok) return reportFailure(invocation, timeline.failure);
  if (json) {
    await terminal.print(safeJson({ ...body, timeline: timeline.value }, 2));
    return exitCodes.ok;
  }
  const columns = shownColumns({ ...info, operation: { ...info.operation, name: 'getHistory' } });
  const entries = tableLines(timeline.value, columns, terminal.width);
  const lines = recordLines(forPeople('getReturn', body), terminal.width);
  await terminal.print([...lines, '', `timeline (${timeline.value.length})`, ...entries].join('\n'));
  return exitCodes.ok;
};

const printAnswer = async (invocation: Invocation, body: JsonObject): Promise<void> =>
  printRecord(invocation, invocation.json ? body : forPeople(invocation.info.operation.name, body));

const isRead = ({ operation: { method } }: OperationInfo): boolean => method === 'GET';

/** Sends one request and prints its answer. */
const runOnce = async (invocation: Invocation): Promise<number> => {
  const { info, input, settings, terminal, wait } = invocation;
  const { name } = info.operation;
  const answer = await callOrNote(invocation, name, input, settings);
  if (!answer.ok) return reportFailure(invocation, answer.failure, settings.idempotencyKey);
  const { body, version, replayed } = answer.value;
  if (info.flow === 'job' && wait && settings.dryRun !== true)
    return name === 'createExport' ? finishExport(invocation, body) : finishJob(invocation, body);
  if (info.flow === 'timeline' && input['asOf'] === undefined) return printReturn(invocation, body);
  await printAnswer(invocation, body);
  if (replayed === true) terminal.note('This is the answer to an earlier request with the same key.');
  if (settings.dryRun === true) terminal.note('Dry run: nothing is stored.');
  else if (version !== undefined && !isRead(info)) terminal.note(`Version ${version}`);
  return codeOf(name, body);
};

/**
 * Runs the command of an operation.
 *
 * @returns the exit code
 */
export const runOperation = async (invocation: Invocation): Promise<number> => {
  switch (invocation.info.flow) {
    case 'list':
      return runList(invocation);
    case 'pages':
    case 'drain':
      return runRange(invocation);
    case 'once':
    case 'job':
    case 'timeline':
      return runOnce(invocation);
  }
};
