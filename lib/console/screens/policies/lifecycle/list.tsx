import { useState } from 'preact/hooks';
import { createPolicy, listPolicies } from '../../../../contract/operations.ts';
import { useCall } from '../../../api/use-call.ts';
import { hrefOf, navigate } from '../../../app/router.ts';
import { titles } from '../../../app/texts.ts';
import { ActionDialog } from '../../../components/action-dialog.tsx';
import { Badge, Empty, Time } from '../../../components/basics.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { Resource } from '../../../components/resource.tsx';
import { may } from '../../../session/session.ts';
import { common } from '../../../texts/common.ts';
import { fill } from '../../../texts/fill.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { SelectInput, TextInput } from '../editor/inputs.tsx';
import { t } from '../texts.ts';

type Start = 'template' | 'minimal';

/** Creates a policy as a draft, and opens it. */
const NewPolicy = ({ onClose }: { onClose: () => void }) => {
  const words = t();
  const [name, setName] = useState('');
  const [start, setStart] = useState<Start>('template');
  const document = { rules: [{ id: 'all', phase: 'approval', text: words.minimalText, approval: 'manual' }] };
  const content = start === 'template' ? { template: 'standard' as const } : { document };
  return (
    <ActionDialog
      title={words.newPolicy}
      operation={createPolicy}
      input={name.trim() === '' ? undefined : { name, ...content }}
      sendLabel={words.create}
      effect={({ status }) => policyWord('state', status)}
      onDone={({ policyId }) => navigate(`/policies/${policyId}?tab=draft`)}
      onClose={onClose}
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
    </ActionDialog>
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
        <a href={hrefOf('/policies/text')}>{words.customerText}</a>
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
