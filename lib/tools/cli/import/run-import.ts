import { open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ClientFailure } from '../../../access/client/public.ts';
import { parseObject, type JsonObject } from '../../../runtime/json.ts';
import { newTraceId } from '../../../runtime/new-ids.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { exitCodeOf, exitCodes } from '../../command-line/exit-codes.ts';
import { safeJson } from '../output/safe-text.ts';
import { openProgress } from '../output/terminal.ts';
import { reportFailure } from '../run/context.ts';
import type { Call } from '../run/connection.ts';
import { type Runner, type Session, usageError, withConnection } from '../session.ts';
import { type Mapping, noMapping, parseMapping } from './columns.ts';
import { readCsv } from './csv.ts';
import { cellOf, inColumns, requestOf } from './request.ts';
import { type Found, readReturns, type ReturnRows, type RowError } from './rows.ts';

/* `returns import FILE`: checks or imports the returns of a file. It may be repeated: an imported return is unchanged. */

/** Returns that are sent at once. The service takes more; a shop that works meanwhile should not notice. */
const abreast = 4;
const maxShown = 50;
const maxTries = 5;

type Counts = { rows: number; returns: number; imported: number; unchanged: number; failed: number };

type Progress = Counts & {
  readonly errors: RowError[];
  /** The failure that ends the run: the service is not there, or rejects the client. */
  ended?: ClientFailure;
};

const readMapping = async (file: string | undefined): Promise<Result<Mapping, string>> => {
  if (file === undefined) return ok(noMapping);
  try {
    const mapping = parseObject(await readFile(file, 'utf8'));
    return mapping === undefined ? fail('it is no JSON object.') : parseMapping(mapping);
  } catch (error) {
    return fail(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
};

/** Opens a file. A folder opens too, so its kind is read as well. */
const openFile = async (file: string): Promise<Result<AsyncIterable<Uint8Array>, string>> => {
  try {
    const opened = await open(file);
    if ((await opened.stat()).isFile()) return ok(opened.createReadStream());
    await opened.close();
    return fail(`${file} is no file.`);
  } catch (error) {
    return fail(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
};

const addErrors = (progress: Progress, errors: readonly RowError[]): void => {
  progress.errors.push(...errors.slice(0, Math.max(0, maxShown - progress.errors.length)));
};

/** Sends a return. While the service is busy it waits, as the service says. */
const send = async (call: Call, input: JsonObject, apply: boolean, { signal }: Session) => {
  for (let tries = 1; ; tries += 1) {
    const answer = await call('importReturn', input, { signal, traceId: newTraceId(), dryRun: !apply });
    if (answer.ok || exitCodeOf(answer.failure) !== exitCodes.unavailable || tries === maxTries) return answer;
    await pause((answer.failure.retryAfterSeconds ?? tries) * 1_000, undefined, { signal });
  }
};

const errorsOf = (
  { code, detail, errors = [], returnId }: ClientFailure,
  { rows }: ReturnRows,
): readonly RowError[] => {
  const known = returnId === undefined ? '' : ` The return is ${returnId}.`;
  if (errors.length === 0) return [{ row: rows[0]?.row ?? 0, message: `${detail} (${code})${known}` }];
  return errors.map(({ path, message }) => {
    const cell = cellOf(path, rows);
    const field = cell.column === undefined ? `${path} ` : '';
    return { ...cell, message: `${field}${inColumns(message)} (${code})${known}` };
  });
};

/** Checks or imports one return, and counts it. */
const handle = async (session: Session, call: Call, apply: boolean, found: ReturnRows, progress: Progress) => {
  progress.returns += 1;
  progress.rows += found.rows.length;
  const request = found.errors.length > 0 ? fail(found.errors) : requestOf(found.rows);
  if (!request.ok) {
    progress.failed += 1;
    return addErrors(progress, request.failure);
  }
  const answer = await send(call, request.value, apply, session);
  if (answer.ok) {
    if (answer.value.status === 201) progress.imported += 1;
    else progress.unchanged += 1;
    return;
  }
  const { failure } = answer;
  // Of a rejected return the others know nothing. Other failures are those of all returns.
  const isOfReturn = exitCodeOf(failure) === exitCodes.rejected && failure.code !== 'insufficient_scope';
  if (!isOfReturn) progress.ended ??= failure;
  progress.failed += 1;
  addErrors(progress, isOfReturn ? errorsOf(failure, found) : []);
};

const handleAll = async (
  session: Session,
  call: Call,
  apply: boolean,
  found: AsyncGenerator<Found>,
): Promise<Progress> => {
  const progress: Progress = { rows: 0, returns: 0, imported: 0, unchanged: 0, failed: 0, errors: [] };
  const line = openProgress(session.terminal);
  const work = async () => {
    // The workers share the generator, which reads the next return when one of them is free.
    for (;;) {
      const { value, done } = await found.next();
      if (done === true || progress.ended !== undefined) return;
      if ('unreadable' in value) {
        progress.failed += 1;
        addErrors(progress, [value.unreadable]);
      } else await handle(session, call, apply, value, progress);
      line.update(`${progress.returns} returns, ${progress.failed} failed`);
    }
  };
  try {
    await Promise.all(Array.from({ length: abreast }, work));
  } finally {
    line.end();
  }
  return progress;
};

const errorLine = ({ row, column, message }: RowError): string =>
  `row ${row}${column === undefined ? '' : `, ${column}`}: ${message}`;

const report = async ({ terminal, json }: Session, progress: Progress, apply: boolean): Promise<void> => {
  const { ended: _, errors, ...counts } = progress;
  const sorted = errors.toSorted((first, second) => first.row - second.row);
  if (json) return terminal.print(safeJson({ applied: apply, ...counts, errors: sorted }, 2));
  for (const error of sorted) terminal.note(errorLine(error));
  if (sorted.length === maxShown) terminal.note(`Only the first ${maxShown} errors are shown.`);
  const { rows, returns, imported, unchanged, failed } = counts;
  const done = apply ? 'imported' : 'can be imported';
  await terminal.print(
    `${rows} rows, ${returns} returns: ${imported} ${done}, ${unchanged} unchanged, ${failed} failed.`,
  );
  if (!apply) terminal.note('Dry run: nothing is stored. Add --apply to import.');
};

const runImport =
  (file: string, { map, apply = false }: { readonly map?: string; readonly apply?: boolean }): Runner =>
  async (session) => {
    const mapping = await readMapping(map);
    if (!mapping.ok) return usageError(session, `the mapping ${map ?? ''}: ${mapping.failure}`);
    const bytes = file === '-' ? ok(session.terminal.stdin) : await openFile(file);
    if (!bytes.ok) return usageError(session, bytes.failure);
    return withConnection(session, async (call) => {
      const found = readReturns(readCsv(bytes.value, mapping.value.delimiter), mapping.value);
      const progress = await handleAll(session, call, apply, found);
      await report(session, progress, apply);
      if (progress.ended === undefined) return progress.failed === 0 ? exitCodes.ok : exitCodes.failed;
      const code = reportFailure(session, progress.ended);
      session.terminal.note('The import stopped. Repeat the command: what is imported stays unchanged.');
      return code;
    });
  };

/** Adds the command that imports the returns of another system. */
export const addImport = (program: Command, choose: (runner: Runner) => void): void => {
  const command = program
    .command('import')
    .summary('Import the returns of another system')
    .description(
      'Checks the returns of a CSV file, and stores nothing. With --apply it imports them. A repeat leaves imported returns unchanged, so an interrupted import is continued by the same command. The guide import.md has the columns and an example of a mapping.',
    )
    .argument('<file>', 'A CSV file in UTF-8; - reads stdin.')
    .option('--map <file>', 'A mapping (JSON) of the columns of an export to those of the format.')
    .option('--apply', 'Imports the returns. Without it, the command only checks them.');
  command.action((file: string) =>
    choose(runImport(file, command.opts<{ readonly map?: string; readonly apply?: true }>())),
  );
};
