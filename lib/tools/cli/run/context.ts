import type { ClientFailure } from '../../../access/client/public.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { Call, CallSettings } from './connection.ts';
import { exitCodeOf, isAccessFailure, isMisfit, isOutcomeUnknown } from '../../command-line/exit-codes.ts';
import type { OperationInfo } from '../catalogue.ts';
import { safeJson } from '../output/safe-text.ts';
import { recordLines } from '../output/record.ts';
import type { Terminal } from '../output/terminal.ts';

/** What every command has. */
export type Output = {
  readonly terminal: Terminal;
  /** Whether results are JSON for machines. */
  readonly json: boolean;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
};

/** A command that calls one operation, with everything that the command line gives. */
export type Invocation = Output & {
  readonly info: OperationInfo;
  readonly input: JsonObject;
  readonly call: Call;
  readonly settings: CallSettings;
  /** The maximum of items of a list; undefined for all. Of other flows: whether the user limits a request. */
  readonly limit: number | undefined;
  /** Whether the command waits for the job that it starts. */
  readonly wait: boolean;
  /** The folder for the files of an export. */
  readonly out: string;
  /** Whether existing files may be replaced. */
  readonly yes: boolean;
};

/** Prints a result: a record for people, or one JSON document. */
export const printRecord = async ({ terminal, json }: Output, record: object): Promise<void> =>
  terminal.print(json ? safeJson(record, 2) : recordLines(record, terminal.width).join('\n'));

const hintOf = (failure: ClientFailure, key: string | undefined): readonly string[] => {
  if (isAccessFailure(failure)) return ['Check the credentials of the profile: returns doctor'];
  if (isMisfit(failure)) return ['Check the service of the profile: returns doctor'];
  const { retryAfterSeconds } = failure;
  const wait = retryAfterSeconds === undefined ? [] : [`Wait ${retryAfterSeconds} s before the next attempt.`];
  // An idempotency key makes the repeat safe.
  const repeat =
    isOutcomeUnknown(failure) && key !== undefined ? [`The outcome is unknown. Repeat with --key ${key}`] : [];
  return [...wait, ...repeat];
};

const linesOf = (failure: ClientFailure, key: string | undefined): readonly string[] => {
  const { code, detail, errors = [], allowedActions = [], returnId, reason } = failure;
  const allowed = allowedActions.filter((action) => action.allowed).map(({ action }) => action);
  return [
    `error: ${detail} (${code})`,
    ...errors.map(({ path, message }) => `  ${path} ${message}`),
    ...(returnId === undefined ? [] : [`  Existing return: ${returnId}`]),
    ...(allowedActions.length === 0 ? [] : [`  Possible now: ${allowed.join(', ') || 'nothing'}`]),
    ...(reason === undefined ? [] : [`  Cause: ${reason}`]),
    ...hintOf(failure, key),
  ];
};

/**
 * Prints a failed call to stderr, as text or as one JSON document.
 *
 * @param key the idempotency key of the call, if any
 * @returns the exit code
 */
export const reportFailure = ({ terminal, json }: Output, failure: ClientFailure, key?: string): number => {
  const repeat = isOutcomeUnknown(failure) && key !== undefined ? { idempotencyKey: key } : {};
  terminal.note(json ? safeJson({ error: { ...failure, ...repeat } }, 2) : linesOf(failure, key).join('\n'));
  return exitCodeOf(failure);
};

/** Calls an operation. An interrupted write has an unknown outcome: a note names the key for a safe repeat. */
export const callOrNote = async ({ terminal, signal, call }: Invocation, ...args: Parameters<Call>) => {
  try {
    return await call(...args);
  } catch (error) {
    const key = args[2].idempotencyKey;
    if (signal.aborted && key !== undefined && args[2].dryRun !== true)
      terminal.note(`The outcome is unknown. Repeat with --key ${key}`);
    throw error;
  }
};
