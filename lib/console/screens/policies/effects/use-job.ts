import { useEffect } from 'preact/hooks';
import type { Output } from '../../../../contract/contract.ts';
import { getJob } from '../../../../contract/operations.ts';
import { type Loaded, useCall } from '../../../api/use-call.ts';

const firstPauseMs = 1000;
const maxPauseMs = 20_000;
const growth = 1.5;

const isOpen = (status: string | undefined): boolean => status === 'queued' || status === 'running';

/** Reads a job, and reads it again with growing pauses until it ends. A hidden page reads nothing. */
export const useJob = (jobId: string): Loaded<Output<'getJob'>> => {
  const job = useCall(getJob, { jobId });
  const open = isOpen(job.value?.status);
  useEffect(() => {
    if (!open) return undefined;
    let pause = firstPauseMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = () => {
      clearTimeout(timer);
      if (document.hidden) return;
      timer = setTimeout(() => {
        job.reload();
        pause = Math.min(maxPauseMs, pause * growth);
        plan();
      }, pause);
    };
    const onVisible = () => {
      if (!document.hidden) {
        pause = firstPauseMs;
        job.reload();
      }
      plan();
    };
    plan();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
    // `reload` does the same in each render.
  }, [jobId, open]);
  return job;
};
