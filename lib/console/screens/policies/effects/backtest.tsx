import { useState } from 'preact/hooks';
import type { Input } from '../../../../contract/contract.ts';
import { backtestDraft, listJobs } from '../../../../contract/operations.ts';
import type { Problem } from '../../../api/problem.ts';
import { useCall } from '../../../api/use-call.ts';
import { useSend } from '../../../api/use-command.ts';
import { query, setQuery } from '../../../app/router.ts';
import { Section, Time } from '../../../components/basics.tsx';
import { TimeField } from '../../../components/fields.tsx';
import { JobStatusBadge } from '../../../components/job-status.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Resource } from '../../../components/resource.tsx';
import { fill } from '../../../texts/fill.ts';
import { NumberInput } from '../editor/inputs.tsx';
import type { DraftState } from '../use-draft.ts';
import { JobView } from './job-view.tsx';
import { t } from './texts.ts';

type Source = 'decisions' | 'shadow';

const Earlier = ({ policyId, source, shown }: { policyId: string; source: Source; shown: string | null }) => {
  const words = t();
  const jobs = useCall(listJobs, { kind: 'backtest', limit: 50 });
  return (
    <Section title={words.earlier}>
      <Resource of={jobs}>
        {({ items }) => {
          const own = items.flatMap((job) =>
            job.kind === 'backtest' && job.request.policyId === policyId && job.request.source === source ? [job] : [],
          );
          if (own.length === 0) return <p class="empty">{words.noEarlier}</p>;
          return (
            <ul class="plain">
              {own.map(({ jobId, status, request, createdAt }) => (
                <li key={jobId} class="row">
                  <button
                    type="button"
                    class="link-button"
                    aria-pressed={jobId === shown}
                    onClick={() => setQuery({ job: jobId })}
                  >
                    <Time at={createdAt} />
                  </button>
                  <span>{fill(words.ofDraft, { version: request.version, revision: request.revision })}</span>
                  <JobStatusBadge status={status} />
                </li>
              ))}
            </ul>
          );
        }}
      </Resource>
    </Section>
  );
};

/** Starts backtests, and shows the one of the address. */
export const Backtests = ({ draft, policyId, source }: { draft: DraftState; policyId: string; source: Source }) => {
  const words = t();
  const [form, setForm] = useState<Omit<Input<'backtestDraft'>, 'policyId'>>({});
  const [problem, setProblem] = useState<Problem | undefined>();
  const send = useSend(backtestDraft);
  const [isBusy, setBusy] = useState(false);
  const [ended, setEnded] = useState<string | undefined>();
  const shown = query.value.get('job');
  const { saved, isDirty } = draft;
  const start = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await send({ policyId, ...form, source }, {});
    if (answer === undefined) return;
    setBusy(false);
    if (answer.ok) setQuery({ job: answer.value.jobId });
    else setProblem(answer.problem);
  };
  const set = (name: 'from' | 'until' | 'limit') => (value: string | number | undefined) => {
    const { [name]: _, ...rest } = form;
    setForm(value === undefined || value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <div class="stack">
      {saved !== undefined && (
        <Section title={source === 'shadow' ? words.shadow.results : words.start}>
          <p class="fine">{source === 'shadow' ? words.shadow.resultsHint : words.text}</p>
          <div class="pair">
            <TimeField label={words.from} hint={words.fromHint} value={form.from ?? ''} onChange={set('from')} />
            <TimeField label={words.until} value={form.until ?? ''} onChange={set('until')} />
            <NumberInput label={words.limit} value={form.limit} onChange={set('limit')} />
          </div>
          {isDirty && <p class="field-warning">{words.unsaved}</p>}
          {problem !== undefined && <ProblemNotice problem={problem} onRetry={() => void start()} />}
          <button type="button" class="primary" disabled={isBusy || isDirty} onClick={() => void start()}>
            {source === 'shadow' ? words.shadow.results : words.start}
          </button>
        </Section>
      )}
      {shown !== null && <JobView key={shown} jobId={shown} onEnd={() => setEnded(shown)} />}
      <Earlier key={`${shown} ${ended}`} policyId={policyId} source={source} shown={shown} />
    </div>
  );
};
