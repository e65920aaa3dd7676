import { useEffect, useState } from 'preact/hooks';
import { cancelJob } from '../../../../contract/operations.ts';
import { call } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';
import { isOpen, useJob } from '../../../api/use-job.ts';
import { Section, Time } from '../../../components/basics.tsx';
import { JobStatusBadge } from '../../../components/job-status.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Resource } from '../../../components/resource.tsx';
import { fill } from '../../../texts/fill.ts';
import { formatNumber } from '../../../texts/format.ts';
import { type Job, ReportView } from './report.tsx';
import { t } from './texts.ts';

const Progress = ({ job, onCancel }: { job: Job; onCancel: () => void }) => {
  const words = t();
  const { examined, limit } = job.progress;
  const open = isOpen(job.status);
  return (
    <div class="row">
      <JobStatusBadge status={job.status} />
      {/* The number of decisions is unknown before the end. */}
      {open && <progress aria-label={words.title} />}
      <span role="status">
        {fill(words.progress, { examined: formatNumber(examined), limit: formatNumber(limit) })}
      </span>
      {open && (
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      )}
    </div>
  );
};

/** A backtest: its progress while it runs, and its report so far. */
export const JobView = ({ jobId, onEnd }: { jobId: string; onEnd: () => void }) => {
  const words = t();
  const job = useJob(jobId);
  const [problem, setProblem] = useState<Problem | undefined>();
  const status = job.value?.status;
  useEffect(() => {
    if (status !== undefined && !isOpen(status)) onEnd();
  }, [status]);
  const cancel = async () => {
    const answer = await call(cancelJob, { jobId });
    if (answer.ok) job.replace(answer.value);
    else setProblem(answer.problem);
  };
  return (
    <Resource of={job}>
      {(value) =>
        value.kind === 'backtest' && (
          <div class="stack">
            <Section title={words.job}>
              <p class="fine">
                {fill(words.ofDraft, { version: value.request.version, revision: value.request.revision })} ·{' '}
                {words.source[value.request.source]} · <Time at={value.request.from} /> –{' '}
                <Time at={value.request.until} />
              </p>
              <Progress job={value} onCancel={() => void cancel()} />
              {value.failure !== undefined && <p class="field-error">{words.failure}</p>}
              {problem !== undefined && <ProblemNotice problem={problem} />}
            </Section>
            <ReportView report={value.report} />
          </div>
        )
      }
    </Resource>
  );
};
