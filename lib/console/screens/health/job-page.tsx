import { useState } from 'preact/hooks';
import { cancelJob } from '../../../contract/operations.ts';
import { isOpen, useJob } from '../../api/use-job.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { JobProgress, kindOf } from '../../components/job-progress.tsx';
import { JobStatusBadge } from '../../components/job-status.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from './texts.ts';

/** A job, which is read again until it ends. */
export const JobPage = ({ jobId }: { jobId: string }) => {
  const job = useJob(jobId);
  const [isCancel, setCancel] = useState(false);
  const texts = t();
  return (
    <Detail of={job} title={texts.jobs} back="/health" backText={texts.backToJobs}>
      {(value) => (
        <>
          <DetailHead title={kindOf(value.kind)} back="/health" backText={texts.backToJobs} onReload={job.reload}>
            {isOpen(value.status) && (
              <button type="button" class="danger" onClick={() => setCancel(true)}>
                {texts.cancelJob}
              </button>
            )}
          </DetailHead>
          <div class="section">
            <JobProgress value={value} onReload={job.reload} />
          </div>
          {isCancel && (
            <ActionDialog
              title={texts.cancelJob}
              operation={cancelJob}
              input={{ jobId }}
              target={{ reload: job.reload }}
              sendLabel={texts.cancelJob}
              isDangerous
              effect={({ status }) => <JobStatusBadge status={status} />}
              onDone={() => {
                setCancel(false);
                toast(texts.cancelled);
                job.reload();
              }}
              onClose={() => setCancel(false)}
            >
              <p>{texts.cancelText}</p>
            </ActionDialog>
          )}
        </>
      )}
    </Detail>
  );
};
