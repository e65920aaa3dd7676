import { useState } from 'preact/hooks';
import { shadowDraft } from '../../../../contract/operations.ts';
import { call } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';
import { Badge, Section } from '../../../components/basics.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { toast } from '../../../components/toast.tsx';
import type { DraftState } from '../use-draft.ts';
import { t } from './texts.ts';

/** Starts and stops the shadow evaluation of the draft. */
export const ShadowSwitch = ({ draft }: { draft: DraftState }) => {
  const words = t().shadow;
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const { saved, canEdit, loaded } = draft;
  if (saved === undefined) return null;
  const isOn = saved.shadowed === true;
  const change = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await call(shadowDraft, { policyId: saved.policyId, enabled: !isOn }, { version: saved.revision });
    setBusy(false);
    if (answer.ok) {
      loaded.replace(answer.value, answer.version);
      toast(isOn ? words.stopped : words.started);
      return;
    }
    setProblem(answer.problem);
    if (answer.problem.status === 412) loaded.reload();
  };
  return (
    <Section title={words.title}>
      <p>{words.text}</p>
      <div class="row">
        <Badge tone={isOn ? 'active' : 'neutral'}>{isOn ? words.on : words.off}</Badge>
        <button type="button" disabled={isBusy || !canEdit} onClick={() => void change()}>
          {isOn ? words.stop : words.start}
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={() => void change()} />}
    </Section>
  );
};
