import { useEffect, useState } from 'preact/hooks';
import { cancelJob } from '../../../../contract/operations.ts';
import { call } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';
import { Badge, Section, Time, type Tone } from '../../../components/basics.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Resource } from '../../../components/resource.tsx';
import { formatNumber } from '../../../texts/format.ts';
import { type Job, ReportView } from './report.tsx';
import { t } from './texts.ts';
import { useJob } from './use-job.ts';

export const jobTones: Readonly<Record<Job['status'], Tone>> = {
  queued: 'neutral',
  running: 'active',
  done: 'good',
  cancelled: 'neutral',
  failed: 'bad',
};

const Progress = ({ job, onCancel }: { job: Job; onCancel: () => void }) => {
  const words = t();
  const { examined, limit } = job.progress;
  const isOpen = job.status === 'queued' || job.status === 'running';
  return (
    <div class="row">
      <Badge tone={jobTones[job.status]}>{words.status[job.status]}</Badge>
      {/* The number of decisions is unknown before the end. */}
      {isOpen && <progress aria-label={words.title} />}
      <span role="status">{words.progress(formatNumber(examined), formatNumber(limit))}</span>
      {isOpen && (
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
    if (status !== undefined && status !== 'queued' && status !== 'running') onEnd();
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
                {words.ofDraft(value.request.version, value.request.revision)} · {words.source[value.request.source]} ·{' '}
                <Time at={value.request.from} /> – <Time at={value.request.until} />
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
