import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getWebhookDelivery, redeliverWebhook } from '../../../contract/operations.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Copy, Empty, Facts, Section, Time } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { toast } from '../../components/toast.tsx';
import { common } from '../../texts/common.ts';
import { SubjectLink } from './deliveries.tsx';
import { durationOf, EventStatus, resultOf } from './states.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Delivery = Output<'getWebhookDelivery'>;

const Attempts = ({ of }: { of: Delivery['attempts'] }) => (
  <Section title={fieldText('attempts')}>
    {of.length === 0 ? (
      <Empty>{t().noAttempts}</Empty>
    ) : (
      <TableWrap label={fieldText('attempts')}>
        <Columns names={[fieldText('at'), `#${t().duration}`, common().result, t().response]} />
        <tbody>
          {of.map((attempt) => (
            <tr key={attempt.at}>
              <td>
                <Time at={attempt.at} /> {attempt.redelivery === true && <span class="fine">{t().onRequest}</span>}
              </td>
              <td class="number">{durationOf(attempt)}</td>
              <td>{resultOf(attempt)}</td>
              <td class="wrap">{attempt.response}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    )}
  </Section>
);

const Request = ({ of, eventId }: { of: Delivery['request']; eventId: string }) => (
  <Section title={t().request}>
    {of === undefined ? (
      <Empty>{t().noRequest}</Empty>
    ) : (
      <>
        <p class="id-head">
          <code>POST {of.url}</code>
        </p>
        <RawText text={of.body} name={eventId} />
        <h3 class="more">{t().headers}</h3>
        <Facts rows={Object.entries(of.headers)} />
      </>
    )}
  </Section>
);

const RedeliverDialog = ({
  endpointId,
  eventId,
  of,
  onClose,
}: {
  endpointId: string;
  eventId: string;
  of: Loaded<Delivery>;
  onClose: () => void;
}) => (
  <ActionDialog
    title={t().redeliver}
    operation={redeliverWebhook}
    input={{ endpointId, eventId }}
    sendLabel={t().redeliver}
    effect={({ type, subject }) => (
      <p>
        {type} · <span class="mono">{subject}</span>
      </p>
    )}
    onDone={() => {
      onClose();
      toast(t().redelivered);
      of.reload();
    }}
    onClose={onClose}
  >
    <p>{t().redeliverText}</p>
  </ActionDialog>
);

/** The delivery of one event: its attempts and its bytes. */
export const EndpointDelivery = ({ endpointId, eventId }: { endpointId: string; eventId: string }) => {
  const loaded = useCall(getWebhookDelivery, { endpointId, eventId });
  const [isOpen, setOpen] = useState(false);
  const texts = t();
  return (
    <Detail of={loaded} title={common().delivery} back={`/endpoints/${endpointId}`} backText={texts.backToEndpoint}>
      {(value) => (
        <>
          <DetailHead
            title={
              <>
                {common().delivery} · {value.type}
              </>
            }
            back={`/endpoints/${endpointId}`}
            backText={texts.backToEndpoint}
            onReload={loaded.reload}
            below={
              <>
                <EventStatus status={value.status} />
                <span class="mono fine">{value.eventId}</span>
                <Copy text={value.eventId} />
              </>
            }
          >
            <button
              type="button"
              class={value.status === 'failed' ? 'primary' : undefined}
              onClick={() => setOpen(true)}
            >
              {texts.redeliver}
            </button>
          </DetailHead>
          <div class="stack">
            <Section title={texts.event}>
              <Facts
                rows={[
                  [texts.subject, <SubjectLink key="subject" subject={value.subject} />],
                  [texts.sequence, String(value.sequence)],
                  [common().updated, <Time key="changed" at={value.updatedAt} />],
                ]}
              />
            </Section>
            <Attempts of={value.attempts} />
            <Request of={value.request} eventId={value.eventId} />
          </div>
          {isOpen && (
            <RedeliverDialog endpointId={endpointId} eventId={eventId} of={loaded} onClose={() => setOpen(false)} />
          )}
        </>
      )}
    </Detail>
  );
};
