import { useState } from 'preact/hooks';
import { createPolicy } from '../../../../contract/operations.ts';
import type { Problem } from '../../../api/problem.ts';
import { useSend } from '../../../api/use-send.ts';
import { navigate } from '../../../app/router.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { common } from '../../../texts/common.ts';
import { SelectInput, TextInput } from '../editor/inputs.tsx';
import { t } from '../texts.ts';

type Start = 'template' | 'minimal';

/** Creates a policy as a draft, and opens it. */
export const NewPolicy = ({ onClose }: { onClose: () => void }) => {
  const words = t();
  const [name, setName] = useState('');
  const [start, setStart] = useState<Start>('template');
  const send = useSend(createPolicy);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    const document = { rules: [{ id: 'all', phase: 'approval', text: words.minimalText, approval: 'manual' }] };
    const input = start === 'template' ? { name, template: 'standard' as const } : { name, document };
    const answer = await send(input, { dryRun: false });
    if (answer === undefined) return;
    setBusy(false);
    if (answer.ok) navigate(`/policies/${answer.value.policyId}?tab=draft`);
    else setProblem(answer.problem);
  };
  return (
    <Dialog title={words.newPolicy} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextInput label={words.name} value={name} onChange={setName} />
        <SelectInput
          label={words.start}
          value={start}
          choices={[
            ['template', words.template],
            ['minimal', words.minimal],
          ]}
          onChange={(chosen) => setStart(chosen === 'minimal' ? 'minimal' : 'template')}
        />
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy || name.trim() === ''}>
            {words.create}
          </button>
          <button type="button" onClick={onClose}>
            {common().cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
