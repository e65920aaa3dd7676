import { useState } from 'preact/hooks';
import { cancelJob } from '../../../contract/operations.ts';
import { isOpen, useJob } from '../../api/use-job.ts';
import { hrefOf } from '../../app/router.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { JobProgress, kindOf } from '../../components/job-progress.tsx';
import { JobStatusBadge } from '../../components/job-status.tsx';
import { Detail } from '../../components/detail.tsx';
import { toast } from '../../components/toast.tsx';
import { common } from '../../texts/common.ts';
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
          <header class="screen-head">
            <div>
              <p class="fine crumb">
                <a href={hrefOf('/health')}>{texts.backToJobs}</a>
              </p>
              <h1>{kindOf(value.kind)}</h1>
            </div>
            <div class="actions">
              {isOpen(value.status) && (
                <button type="button" class="danger" onClick={() => setCancel(true)}>
                  {texts.cancelJob}
                </button>
              )}
              <button type="button" onClick={job.reload}>
                {common().reload}
              </button>
            </div>
          </header>
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
