import { useEffect, useState } from 'preact/hooks';
import type { Input, Output } from '../../../../contract/contract.ts';
import { publish } from '../../../../contract/operations.ts';
import type { Problem } from '../../../api/problem.ts';
import { useCommand } from '../../../api/use-command.ts';
import { hrefOf } from '../../../app/router.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { Facts, Section, Time } from '../../../components/basics.tsx';
import { TimeField } from '../../../components/fields.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { toast } from '../../../components/toast.tsx';
import { common } from '../../../texts/common.ts';
import { fill } from '../../../texts/fill.ts';
import { formatTime } from '../../../texts/format.ts';
import { FindingLine } from '../editor/finding-line.tsx';
import type { DraftState } from '../use-draft.ts';
import { t } from './texts.ts';

type Published = Output<'publish'>;

const Refusal = ({ problem, onRetry }: { problem: Problem; onRetry: () => void }) => {
  const words = t().publish;
  const { code } = problem as { readonly code: string };
  if (code === 'second_person_required')
    return (
      <div class="notice notice-warning" role="alert">
        <strong>{words.secondPerson}</strong>
        <p>{words.secondPersonNext}</p>
      </div>
    );
  return (
    <>
      <ProblemNotice problem={problem} onRetry={onRetry} />
      {code === 'golden_case_failed' && <p>{words.goldenFailed}</p>}
    </>
  );
};

/** What the dry run says about the publication. */
const Preview = ({ value, policy }: { value: Published; policy: Output<'getPolicy'> }) => {
  const words = t().publish;
  return (
    <div class="notice notice-good" role="status">
      <strong>{words.checked}</strong>
      <p>
        {fill(words.effective, {
          version: value.version,
          from: formatTime(value.effectiveFrom ?? new Date().toISOString()),
        })}{' '}
        {policy.inForce === undefined ? words.first : fill(words.replaces, { version: policy.inForce })}
      </p>
      {value.warnings.length === 0 ? (
        <p>{words.noWarnings}</p>
      ) : (
        <>
          <p>{words.warnings}</p>
          <ul>
            {value.warnings.map((finding) => (
              <li key={`${finding.path}${finding.code}`}>
                <FindingLine of={finding} place={finding.path} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
};

/** Publishes the draft, after a dry run of the same request. */
export const Publish = ({
  policy,
  draft,
  onPublished,
}: {
  policy: Output<'getPolicy'>;
  draft: DraftState;
  onPublished: () => void;
}) => {
  const words = t().publish;
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const { saved, isDirty } = draft;
  const input: Input<'publish'> = {
    policyId: policy.policyId,
    ...(from !== '' && { effectiveFrom: from }),
    ...(until !== '' && { effectiveUntil: until }),
  };
  const isReady = saved !== undefined && !isDirty;
  const command = useCommand(publish, isReady ? input : undefined, saved?.revision);
  const { previewed, problem } = command;
  useEffect(() => {
    if (problem?.status === 412) draft.loaded.reload();
  }, [problem]);
  if (saved === undefined) return null;
  const send = async () => {
    const answer = await command.send();
    if (answer?.ok !== true) return;
    toast(words.published);
    onPublished();
  };
  return (
    <Section title={words.title}>
      <p>{words.text}</p>
      <Facts
        rows={[
          [
            words.lastSaved,
            <>
              <ActorName actor={saved.updatedBy} byList />, <Time at={saved.updatedAt} />
            </>,
          ],
        ]}
      />
      {policy.inForce !== undefined && (
        <p>
          <a href={hrefOf(`/policies/${policy.policyId}?tab=diff&from=${policy.inForce}&to=${saved.version}`)}>
            {words.compare}
          </a>
        </p>
      )}
      <div class="pair narrow">
        <TimeField label={words.from} hint={words.fromHint} value={from} onChange={setFrom} />
        <TimeField label={words.until} hint={words.untilHint} value={until} onChange={setUntil} />
      </div>
      {isDirty && <p class="field-warning">{words.unsaved}</p>}
      {problem !== undefined && <Refusal problem={problem} onRetry={() => void send()} />}
      {command.isPreviewing && <p class="fine">{common().previewing}</p>}
      {previewed !== undefined && <Preview value={previewed} policy={policy} />}
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={command.isSending || previewed === undefined}
          onClick={() => void send()}
        >
          {words.publish}
        </button>
      </div>
    </Section>
  );
};
