import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getInboxDelivery } from '../../../contract/operations.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { hrefOf, orderHref } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Copy, Empty, Facts, Section, Time } from '../../components/basics.tsx';
import { CheckedLink } from '../../components/checked-link.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { RawText } from '../../components/raw-text.tsx';
import { toast } from '../../components/toast.tsx';
import { common } from '../../texts/common.ts';
import { ReplayDialog } from './replay-dialogs.tsx';
import { DeliveryStatus } from './status.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

/** The body as the shop sent it: text, other bytes in base64, or a link to a large one. */
const Body = ({ body, name }: { body: Output<'getInboxDelivery'>['body']; name: string }) => {
  const texts = t();
  if ('url' in body)
    return (
      <Section title={texts.body}>
        <p>{texts.linked}</p>
        <p>
          <CheckedLink url={body.url}>{texts.openBody}</CheckedLink>
        </p>
        <p class="fine">
          {texts.validUntil} <Time at={body.expiresAt} />
        </p>
      </Section>
    );
  return (
    <Section title={texts.body}>
      {body.encoding === 'base64' && <p class="fine">{texts.base64}</p>}
      <RawText text={body.content} name={name} />
    </Section>
  );
};

type Delivery = Output<'getInboxDelivery'>;

const returnLink = (returnId: string | undefined) =>
  returnId !== undefined && (
    <a class="mono" href={hrefOf(`/returns/${returnId}`)}>
      {returnId}
    </a>
  );

const DeliveryFacts = ({ value }: { value: Delivery }) => {
  const texts = t();
  const { orderId, orderPlatform = value.platform } = value;
  return (
    <Section title={common().delivery}>
      <Facts
        rows={
          [
            [common().platform, value.platform],
            [texts.source, value.source],
            [texts.topic, value.topic],
            [texts.receivedAt, <Time key="received" at={value.receivedAt} />],
            [texts.settledAt, value.settledAt !== undefined && <Time at={value.settledAt} />],
            [fieldText('attempts'), String(value.attempts)],
            [common().reason, value.reason],
            [texts.lastError, value.lastError],
            [titles().returns, returnLink(value.returnId)],
            [
              common().order,
              orderId !== undefined && (
                <a href={orderHref({ platform: orderPlatform, orderId })}>
                  {orderPlatform} {orderId}
                </a>
              ),
            ],
            [texts.deliveryId, value.deliveryId],
            [texts.eventId, value.eventId],
            [texts.triggeredAt, value.triggeredAt],
            [texts.apiVersion, value.apiVersion],
            [
              common().problem.trace,
              <>
                <span class="mono">{value.traceId}</span> <Copy text={value.traceId} />
              </>,
            ],
          ].filter(([, shown]) => shown !== false) as [string, string][]
        }
      />
    </Section>
  );
};

const Runs = ({ runs }: { runs: Delivery['runs'] }) => (
  <Section title={t().runs}>
    {runs.length === 0 ? (
      <Empty>{t().noRuns}</Empty>
    ) : (
      <TableWrap label={t().runs}>
        <Columns names={[t().settledAt, common().status, titles().returns, t().cause]} />
        <tbody>
          {runs.map((run, index) => (
            <tr key={index}>
              <td>{run.settledAt !== undefined && <Time at={run.settledAt} />}</td>
              <td>
                <DeliveryStatus status={run.status} />
              </td>
              <td>{returnLink(run.returnId)}</td>
              <td class="wrap">{run.reason ?? run.lastError}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    )}
  </Section>
);

const Loaded = ({ of, value }: { of: Loaded<Delivery>; value: Delivery }) => {
  const [isReplay, setReplay] = useState(false);
  const texts = t();
  return (
    <>
      <DetailHead
        title={
          <>
            {common().delivery} · {value.topic}
          </>
        }
        back="/inbox"
        backText={texts.back}
        onReload={of.reload}
        below={
          <>
            <DeliveryStatus status={value.status} />
            <span class="fine">{texts.meaning[value.status]}</span>
          </>
        }
      >
        {value.status !== 'received' && (
          <button
            type="button"
            class={value.status === 'parked' || value.status === 'failed' ? 'primary' : undefined}
            onClick={() => setReplay(true)}
          >
            {texts.replay}
          </button>
        )}
      </DetailHead>
      <div class="columns">
        <div class="stack">
          <Body body={value.body} name={value.deliveryId} />
          <Runs runs={value.runs} />
        </div>
        <div class="stack">
          <DeliveryFacts value={value} />
          <Section title={texts.headers}>
            {Object.keys(value.headers).length === 0 ? <Empty /> : <Facts rows={Object.entries(value.headers)} />}
          </Section>
        </div>
      </div>
      {isReplay && (
        <ReplayDialog
          of={of}
          deliveryKey={value.deliveryKey}
          onClose={() => setReplay(false)}
          onDone={() => {
            setReplay(false);
            toast(texts.replayed);
            of.reload();
          }}
        />
      )}
    </>
  );
};

/** A delivery: its state, its runs, and its exact bytes. */
export const InboxDelivery = ({ deliveryKey }: { deliveryKey: string }) => {
  const loaded = useCall(getInboxDelivery, { deliveryKey });
  return (
    <Detail of={loaded} title={common().delivery} back="/inbox" backText={t().back}>
      {(value) => <Loaded of={loaded} value={value} />}
    </Detail>
  );
};
