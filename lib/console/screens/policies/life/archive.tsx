import { useState } from 'preact/hooks';
import type { Output } from '../../../../contract/contract.ts';
import { archive } from '../../../../contract/operations.ts';
import type { Problem } from '../../../api/problem.ts';
import { useSend } from '../../../api/use-send.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { toast } from '../../../components/toast.tsx';
import { common } from '../../../texts/common.ts';
import { t } from './texts.ts';

/** Ends the published versions of a policy. */
export const Archive = ({
  policy,
  onClose,
  onDone,
}: {
  policy: Output<'getPolicy'>;
  onClose: () => void;
  onDone: () => void;
}) => {
  const words = t();
  const send = useSend(archive);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    const answer = await send({ policyId: policy.policyId }, { dryRun: false, version: policy.revision });
    if (answer === undefined) return;
    setBusy(false);
    if (answer.ok) {
      toast(words.archived);
      onDone();
      onClose();
    } else setProblem(answer.problem);
  };
  return (
    <Dialog title={`${words.archiveTitle}: ${policy.name}`} onClose={onClose}>
      <p>{words.archiveText}</p>
      <p class="fine">{words.cannotUndo}</p>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div class="actions">
        <button type="button" class="danger" disabled={isBusy} onClick={() => void end()}>
          {words.archive}
        </button>
        <button type="button" onClick={onClose}>
          {common().cancel}
        </button>
      </div>
    </Dialog>
  );
};
