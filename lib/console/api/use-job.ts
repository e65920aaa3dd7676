import { useEffect, useRef } from 'preact/hooks';
import { getJob } from '../../contract/operations.ts';
import { type Loaded, useCall } from './use-call.ts';
import type { Output } from '../../contract/contract.ts';

const firstPauseMs = 1500;
const maxPauseMs = 30_000;

/** Returns the pause after the next read of a job. */
export const nextPauseMs = (pauseMs: number): number => Math.min(pauseMs * 1.5, maxPauseMs);

/** Whether a job still changes by itself. */
export const isOpen = (status: Output<'getJob'>['status']): boolean => status === 'queued' || status === 'running';

/** Reads a job again, in growing pauses, until it ends. A hidden tab reads nothing, and reads when it is visible again. */
export const useJob = (jobId: string | undefined): Loaded<Output<'getJob'>> => {
  const job = useCall(getJob, jobId === undefined ? undefined : { jobId });
  const pauseMs = useRef(firstPauseMs);
  const status = job.value?.status;
  useEffect(() => {
    pauseMs.current = firstPauseMs;
  }, [jobId]);
  useEffect(() => {
    if (status === undefined || !isOpen(status) || job.isLoading) return undefined;
    const reloadIfVisible = () => {
      if (!document.hidden) job.reload();
    };
    const timer = setTimeout(() => {
      pauseMs.current = nextPauseMs(pauseMs.current);
      reloadIfVisible();
    }, pauseMs.current);
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reloadIfVisible);
    };
    // `reload` does the same in each render.
  }, [status, job.isLoading]);
  return job;
};
