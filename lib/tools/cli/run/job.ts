import { setTimeout } from 'node:timers/promises';
import type { Answer, ClientFailure, Result } from '../../../access/client/public.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { exitCodeOf, exitCodes } from '../../command-line/exit-codes.ts';
import { openProgress, type Progress } from '../output/terminal.ts';
import { type Invocation, printRecord, reportFailure } from './context.ts';

/* Jobs continue at the service. A command reads the job until it ends, and shows its progress. */

const firstPauseMs = 200;
const maxPauseMs = 5_000;

const isOpen = (job: JsonObject): boolean => job['status'] === 'queued' || job['status'] === 'running';

const showProgress = (progress: Progress, job: JsonObject): void => {
  const counts = isObject(job['progress']) ? job['progress'] : {};
  const text = Object.entries(counts)
    .filter(([name, value]) => name !== 'limit' && typeof value === 'number')
    .map(([name, value]) => `${String(value)} ${name}`)
    .join(', ');
  const { examined, limit } = counts;
  const label = `${String(job['kind'])} ${String(job['status'])}: ${text}`;
  if (typeof examined === 'number' && typeof limit === 'number') progress.update(label, examined, limit);
  else progress.update(label);
};

/** Returns the operation that reads a job. Its creator may read a bulk job without the scope of an administrator. */
const readerOf = ({ kind }: JsonObject): 'getBulk' | 'getJob' => (kind === 'bulk' ? 'getBulk' : 'getJob');

type JobRead = Result<Answer<JsonObject>>;

/**
 * Reads a job until it ends. The pauses between the reads grow from 0.2 s to 5 s.
 *
 * @returns the job at its end, or the failure of a read
 */
export const waitForJob = async (invocation: Invocation, started: JsonObject): Promise<JobRead> => {
  const { call, settings, signal, terminal } = invocation;
  const { traceId, onBehalfOf } = settings;
  const options = { signal, traceId, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) };
  const progress = openProgress(terminal);
  const jobId = String(started['jobId']);
  let job = started;
  let failure: ClientFailure | undefined;
  let pause = firstPauseMs;
  try {
    while (isOpen(job)) {
      showProgress(progress, job);
      await setTimeout(pause, undefined, { signal });
      pause = Math.min(maxPauseMs, pause * 1.5);
      const read = await call(readerOf(started), { jobId }, options);
      if (!read.ok) {
        failure = read.failure;
        return read;
      }
      job = read.value.body;
    }
    return { ok: true, value: { status: 200, body: job } };
  } finally {
    progress.end();
    // The service has no such job, or does not show it to this client.
    const isGone = failure !== undefined && exitCodeOf(failure) === exitCodes.rejected;
    if (isOpen(job) && !isGone)
      terminal.note(`The job continues at the service. Wait for it: returns jobs wait ${jobId}`);
  }
};

/** A job is successful when it is done, and when all commands of a bulk job succeeded. */
const exitOf = ({ status, progress }: JsonObject): number => {
  const { refused = 0, failed = 0 } = isObject(progress) ? progress : {};
  return status === 'done' && Number(refused) + Number(failed) === 0 ? exitCodes.ok : exitCodes.failed;
};

/** Waits for a job and prints it. */
export const finishJob = async (invocation: Invocation, started: JsonObject): Promise<number> => {
  const ended = await waitForJob(invocation, started);
  if (!ended.ok) return reportFailure(invocation, ended.failure);
  await printRecord(invocation, ended.value.body);
  return exitOf(ended.value.body);
};

/** Reads a job by its id; the failure where the service rejects the call. */
export const readJob = async (
  { call, settings }: Invocation,
  jobId: string,
): Promise<
  { readonly ok: true; readonly job: JsonObject } | { readonly ok: false; readonly failure: ClientFailure }
> => {
  const { signal, traceId } = settings;
  const read = await call('getJob', { jobId }, { signal, traceId });
  return read.ok ? { ok: true, job: read.value.body } : read;
};
