import { useEffect, useState } from 'preact/hooks';
import { getJob } from '../../contract/operations.ts';
import { type Loaded, useCall } from './use-call.ts';
import type { Output } from '../../contract/contract.ts';

const firstPauseMs = 1500;
const maxPauseMs = 30_000;

/** Whether a job still changes by itself. */
export const isOpen = (status: Output<'getJob'>['status']): boolean => status === 'queued' || status === 'running';

/** Reads a job again, in growing pauses, until it ends. It pauses while the tab is hidden. */
export const useJob = (jobId: string | undefined): Loaded<Output<'getJob'>> => {
  const job = useCall(getJob, jobId === undefined ? undefined : { jobId });
  const [pauseMs, setPauseMs] = useState(firstPauseMs);
  const status = job.value?.status;
  useEffect(() => {
    if (status === undefined || !isOpen(status) || job.isLoading) return undefined;
    const timer = setTimeout(() => {
      setPauseMs((before) => Math.min(before * 1.5, maxPauseMs));
      if (!document.hidden) job.reload();
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [status, job.isLoading, pauseMs]);
  return job;
};
