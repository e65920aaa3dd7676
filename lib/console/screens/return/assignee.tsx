import { useState } from 'preact/hooks';
import { assignReturn } from '../../../contract/operations.ts';
import { me } from '../../../contract/users/me.ts';
import type { Problem } from '../../api/problem.ts';
import { useSend } from '../../api/use-command.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { readUsers, useUsers, userText } from '../../app/users.ts';
import { knowsMe, UserSelect } from '../../components/user-select.tsx';
import { may } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

/** Who is responsible for the return. One click takes it, a choice gives it to another person. */
export const Assignee = () => {
  const { value, reload } = useScreen();
  const { returnId, assignee, allowedActions } = value;
  const users = useUsers();
  const send = useSend(assignReturn);
  const [problem, setProblem] = useState<Problem | undefined>();
  const mayAssign =
    may('returns:write') &&
    allowedActions?.some(({ action, allowed }) => action === 'assignReturn' && allowed) === true;
  const assign = async (userId: string | null) => {
    const answer = await send({ returnId, userId }, {});
    if (answer === undefined) return;
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    void readUsers();
    reload();
  };
  if (!mayAssign) return <>{assignee === undefined ? common().noAssignee : userText(users, assignee.id)}</>;
  const isMine = users.some((user) => user.me === true && user.userId === assignee?.id);
  return (
    <span class="row">
      <UserSelect users={users} assignee={assignee?.id ?? null} onChoose={(userId) => void assign(userId)} />
      {knowsMe && !isMine && (
        <button type="button" class="small" onClick={() => void assign(me)}>
          {t().take}
        </button>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </span>
  );
};
