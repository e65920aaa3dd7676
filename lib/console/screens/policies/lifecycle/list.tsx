import { useState } from 'preact/hooks';
import { createPolicy, listPolicies } from '../../../../contract/operations.ts';
import type { Problem } from '../../../api/problem.ts';
import { useCall } from '../../../api/use-call.ts';
import { useSend } from '../../../api/use-command.ts';
import { hrefOf, navigate } from '../../../app/router.ts';
import { titles } from '../../../app/texts.ts';
import { Badge, Empty, Time } from '../../../components/basics.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Resource } from '../../../components/resource.tsx';
import { may } from '../../../session/session.ts';
import { common } from '../../../texts/common.ts';
import { fill } from '../../../texts/fill.ts';
import { SelectInput, TextInput } from '../editor/inputs.tsx';
import { t } from '../texts.ts';

type Start = 'template' | 'minimal';

/** Creates a policy as a draft, and opens it. */
const NewPolicy = ({ onClose }: { onClose: () => void }) => {
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
    const answer = await send(input, {});
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
        <TextInput label={common().name} value={name} onChange={setName} />
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

/** All policies: a deployment has at most 100. */
export const PolicyList = () => {
  const words = t();
  const page = useCall(listPolicies, { limit: 100 });
  const [isNew, setNew] = useState(false);
  return (
    <>
      <header class="screen-head">
        <h1>{titles().policies}</h1>
        {may('returns:admin') && (
          <button type="button" class="primary" onClick={() => setNew(true)}>
            {words.newPolicy}
          </button>
        )}
      </header>
      {isNew && <NewPolicy onClose={() => setNew(false)} />}
      <Resource of={page}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{words.none}</Empty>
          ) : (
            <TableWrap label={words.table} isSection>
              <Columns names={[common().name, common().state, `#${words.latest}`, words.changed]} />
              <tbody>
                {items.map(({ policyId, name, inForce, draft, latest, updatedAt }) => (
                  <tr key={policyId}>
                    <th scope="row">
                      <a href={hrefOf(`/policies/${policyId}`)}>{name}</a>
                    </th>
                    <td>
                      <div class="row">
                        {inForce === undefined ? (
                          <Badge>{words.notInForce}</Badge>
                        ) : (
                          <Badge tone="good">{fill(words.inForce, { version: inForce })}</Badge>
                        )}
                        {draft !== undefined && (
                          <Badge tone="warning">{fill(words.hasDraft, { version: draft })}</Badge>
                        )}
                      </div>
                    </td>
                    <td class="number">{latest}</td>
                    <td>
                      <Time at={updatedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </TableWrap>
          )
        }
      </Resource>
    </>
  );
};
