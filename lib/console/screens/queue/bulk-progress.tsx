import { t } from './texts.ts';
import { type BulkJob, hasEnded } from './use-bulk.ts';
import { fill } from '../../texts/fill.ts';

/** How far a bulk job is, and its result in a sentence. */
export const BulkProgress = ({ job }: { job: BulkJob }) => {
  const text = t().bulk;
  const { succeeded, refused, failed } = job.progress;
  const { dryRun: isDry, items } = job.request;
  if (job.status === 'cancelled')
    return (
      <p role="status">
        <strong>{text.stopped}</strong>
      </p>
    );
  if (hasEnded(job)) {
    const summary = fill(isDry ? text.dryResult : text.result, { succeeded, failed: refused + failed });
    return (
      <p role="status">
        <strong>{job.status === 'done' ? summary : text.failed}</strong>
      </p>
    );
  }
  const ended = succeeded + refused + failed;
  const progress = fill(text.progress, { ended, all: items });
  return (
    <p role="status">
      {isDry ? text.previewing : text.running} <progress max={items} value={ended} aria-label={progress} /> {progress}
    </p>
  );
};
