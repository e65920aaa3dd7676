import type { ErrorCode } from '../../contract/errors.ts';
import type { BulkCommand } from '../../contract/jobs/bulk-commands.ts';
import type { Backend, Call, Reply } from '../../contract/port.ts';
import type { Output } from '../../contract/contract.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { isUnavailable } from '../../store/engine/client.ts';
import { errorName, log } from '../../runtime/log.ts';
import type { BulkItem, BulkJob, BulkResult } from '../../store/jobs/job.ts';
import { CommandUnavailable, type OpenPart, type PartOutcome } from './work.ts';

/** The commands of the service. The function passes them, because jobs reach returns only through the port. */
export type BulkBackend = Pick<Backend, BulkCommand>;

/** The number of results between two writes of the partition. */
const saveEvery = 5;
/** The time of one command. A worker stops with more time left. */
const commandMs = 5_000;

/** Failures that say nothing about the return. The message of the partition is retried, and a repeat is safe. */
const temporary: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'dependency_unavailable',
  'timeout',
  'rate_limited',
  'idempotency_key_in_progress',
]);

/** Returns the call of a command. The actor is the creator of the job, with the scopes that the token had then. */
const callOf = ({ id, request, createdBy, nameDigest, scopes, traceId }: BulkJob, item: BulkItem): Call => {
  const { clientId, user, onBehalfOf } = createdBy;
  return {
    caller: {
      clientId,
      scopes,
      ...(user !== undefined && { user: { id: user.id, ...(nameDigest !== undefined && { nameDigest }) } }),
      ...(onBehalfOf !== undefined && { onBehalfOf }),
    },
    // The key follows from the job and the return. So a repeated worker finds the stored response.
    idempotencyKey: `bulk/${id}/${item.returnId}`,
    ...(item.version !== undefined && { ifMatch: item.version }),
    dryRun: request.dryRun,
    traceId,
    causationId: id,
    deadline: Date.now() + commandMs,
  };
};

const resultOf = (returnId: string, outcome: Result<Reply<Output<BulkCommand>>>): BulkResult => {
  if (outcome.ok) {
    const { version, status } = outcome.value.body;
    return { returnId, outcome: 'succeeded', version, status };
  }
  const { code, detail }: Failure = outcome.failure;
  return { returnId, outcome: 'refused', problem: { code, detail } };
};

type RunCommand = (input: object, call: Call) => Promise<Result<Reply<Output<BulkCommand>>>>;

const runItem = async (backend: BulkBackend, job: BulkJob, item: BulkItem): Promise<BulkResult> => {
  const { returnId } = item;
  // The body was validated for this command when the job was created.
  const run = backend[job.request.command] as RunCommand;
  const call = callOf(job, item);
  let outcome: Result<Reply<Output<BulkCommand>>>;
  try {
    outcome = await run({ ...job.body, returnId }, call);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // One damaged return must not stop the others.
    log('error', 'bulk command failed', { jobId: job.id, returnId, traceId: call.traceId, error: errorName(error) });
    const detail = 'An unexpected error occurred. The log of the function runJob has its name.';
    return { returnId, outcome: 'failed', problem: { code: 'internal_error', detail } };
  }
  if (!outcome.ok && temporary.has(outcome.failure.code)) throw new CommandUnavailable(outcome.failure.code);
  return resultOf(returnId, outcome);
};

/**
 * Runs the command on the next returns of a partition. It saves the results after every few returns.
 *
 * @throws if a command cannot run now. The next worker repeats the unsaved returns with the same idempotency keys
 */
export const runBulk = async (
  backend: BulkBackend,
  { job, part, stopAt, save }: OpenPart<'bulk'>,
): Promise<PartOutcome> => {
  const results = [...part.results];
  const saved = async (done: boolean): Promise<boolean> => save({ ...part, results: [...results], done });
  for (const item of part.items.slice(part.results.length)) {
    if (Date.now() >= stopAt && results.length > part.results.length)
      return (await saved(false)) ? 'unfinished' : 'over';
    results.push(await runItem(backend, job, item));
    const isLast = results.length === part.items.length;
    if (!isLast && results.length % saveEvery === 0 && !(await saved(false))) return 'over';
  }
  return (await saved(true)) ? 'done' : 'over';
};
