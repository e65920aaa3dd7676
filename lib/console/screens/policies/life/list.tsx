import { useState } from 'preact/hooks';
import { listPolicies } from '../../../../contract/operations.ts';
import { hrefOf } from '../../../app/router.ts';
import { Badge, Empty, Time } from '../../../components/basics.tsx';
import { Resource } from '../../../components/resource.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { useCall } from '../../../api/use-call.ts';
import { may } from '../../../session/session.ts';
import { t } from '../texts.ts';
import { NewPolicy } from './new-policy.tsx';
import { fill } from '../../../texts/fill.ts';

/** All policies: a deployment has at most 100. */
export const PolicyList = () => {
  const words = t();
  const page = useCall(listPolicies, { limit: 100 });
  const [isNew, setNew] = useState(false);
  return (
    <>
      <header class="screen-head">
        <h1>{words.title}</h1>
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
              <Columns names={[words.name, words.state, `#${words.latest}`, words.changed]} />
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
