import { useState } from 'preact/hooks';
import { createWebhookEndpoint, listWebhookEndpoints } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { hrefOf, navigate } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Empty, Time } from '../../components/basics.tsx';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { EndpointFields, newDraft } from './endpoint-fields.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { EndpointState } from './states.tsx';
import { t } from './texts.ts';

/** The secret stays in memory until the person closes its dialog. */
type Created = { readonly endpointId: string; readonly secret: string };

const CreateDialog = ({ onDone, onClose }: { onDone: (created: Created) => void; onClose: () => void }) => {
  const [draft, setDraft] = useState(newDraft);
  const { url, description, eventTypes } = draft;
  return (
    <ActionDialog
      title={t().create}
      operation={createWebhookEndpoint}
      input={
        url === '' || eventTypes.length === 0
          ? undefined
          : { url, eventTypes: [...eventTypes], ...(description !== '' && { description }) }
      }
      sendLabel={t().create}
      isWide
      effect={(output) => (
        <p>
          {t().wouldCreate} <code>{output.eventTypes.join(', ')}</code>
        </p>
      )}
      onDone={({ endpointId, secret = '' }) => onDone({ endpointId, secret })}
      onClose={onClose}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
    </ActionDialog>
  );
};

/** All endpoints: a deployment has at most 50. */
export const EndpointList = () => {
  const loaded = useCall(listWebhookEndpoints, {});
  const [isCreate, setCreate] = useState(false);
  const [created, setCreated] = useState<Created | undefined>();
  const texts = t();
  return (
    <>
      <header class="screen-head">
        <h1>{titles().endpoints}</h1>
        <div class="actions">
          <button type="button" class="primary" onClick={() => setCreate(true)}>
            {texts.create}
          </button>
          <button type="button" onClick={loaded.reload}>
            {common().reload}
          </button>
        </div>
      </header>
      <div class="stack">
        <p class="fine">{texts.intro}</p>
        <div class="section">
          <Resource of={loaded}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty>{texts.empty}</Empty>
              ) : (
                <TableWrap label={titles().endpoints}>
                  <Columns names={[texts.url, common().state, texts.description, texts.eventTypes, texts.updatedAt]} />
                  <tbody>
                    {items.map((item) => (
                      <tr key={item.endpointId}>
                        <th scope="row">
                          <a href={hrefOf(`/endpoints/${item.endpointId}`)}>{item.url}</a>
                        </th>
                        <td>
                          <EndpointState enabled={item.enabled} />
                          {item.disabled !== undefined && <p class="fine">{texts.reason[item.disabled.reason]}</p>}
                        </td>
                        <td class="wrap">{item.description}</td>
                        <td class="wrap">
                          {item.eventTypes.includes('*') ? texts.allTypes : item.eventTypes.join(', ')}
                        </td>
                        <td>
                          <Time at={item.updatedAt} relative />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </TableWrap>
              )
            }
          </Resource>
        </div>
      </div>
      {isCreate && (
        <CreateDialog
          onClose={() => setCreate(false)}
          onDone={(value) => {
            setCreate(false);
            setCreated(value);
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog secret={created.secret} onClose={() => navigate(`/endpoints/${created.endpointId}`)} />
      )}
    </>
  );
};
