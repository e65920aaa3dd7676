import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import { cancelBulk, createBulk, getBulk } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { isOpen, nextPauseMs } from '../../api/use-job.ts';

export type BulkJob = Output<'getBulk'>;
export type BulkRequest = Input<'createBulk'>;

/** The most returns of one job. */
export const maxBulk = 200;

const firstPauseMs = 800;

/** Whether a job has ended. */
export const hasEnded = ({ status }: BulkJob): boolean => !isOpen(status);

/** Starts bulk jobs, and reads the started one until it ends or the dialog closes. */
export const useBulk = () => {
  const [job, setJob] = useState<BulkJob | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isStarting, setStarting] = useState(false);
  const abort = useRef(new AbortController());
  const attempt = useRef({ body: '', key: '' });
  useEffect(() => () => abort.current.abort(), []);

  const follow = async (started: BulkJob, signal: AbortSignal): Promise<void> => {
    let current = started;
    let pauseMs = firstPauseMs;
    while (!hasEnded(current)) {
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
      pauseMs = nextPauseMs(pauseMs);
      if (signal.aborted) return;
      const answer = await call(getBulk, { jobId: started.jobId }, { signal });
      if (!answer.ok) {
        setProblem(answer.problem);
        return;
      }
      current = answer.value;
      setJob(current);
    }
  };

  const start = async (request: BulkRequest): Promise<void> => {
    const body = JSON.stringify(request);
    // The same request has one effect, however often a person sends it.
    if (attempt.current.body !== body) attempt.current = { body, key: crypto.randomUUID() };
    abort.current.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    setStarting(true);
    setProblem(undefined);
    try {
      const answer = await call(createBulk, request, { idempotencyKey: attempt.current.key, signal });
      setStarting(false);
      if (!answer.ok) {
        setProblem(answer.problem);
        return;
      }
      setJob(answer.value);
      await follow(answer.value, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  /** Stops the job. The next read in `follow` shows its end. */
  const stop = async (): Promise<void> => {
    if (job === undefined) return;
    const answer = await call(cancelBulk, { jobId: job.jobId }, { idempotencyKey: `stop-${job.jobId}` });
    if (answer.ok) setJob(answer.value);
    // The job has ended meanwhile: its result is shown next.
    else if (answer.problem.code !== 'invalid_transition') setProblem(answer.problem);
  };

  /** Forgets the job: the entries have changed. */
  const reset = () => {
    abort.current.abort();
    setStarting(false);
    setJob(undefined);
    setProblem(undefined);
  };

  return { job, problem, isStarting, start, stop, reset };
};
