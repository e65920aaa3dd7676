import { useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import { listWebhookDeliveries, redeliverWebhooks } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { filtersFromQuery } from '../../app/filters.ts';
import { hrefOf, setQuery } from '../../app/router.ts';
import { Section, Time } from '../../components/basics.tsx';
import { SelectField, TextField, TimeField } from '../../components/fields.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { RangeDialog } from '../../components/range-dialog.tsx';
import { common } from '../../texts/common.ts';
import { EventStatus, resultOf } from './states.tsx';
import { t } from './texts.ts';

type Item = Output<'listWebhookDeliveries'>['items'][number];

export const SubjectLink = ({ subject }: { subject: string }) => {
  const screen = subject.startsWith('ret_') ? 'returns' : subject.startsWith('wdr_') ? 'withdrawals' : undefined;
  if (screen === undefined) return <span class="mono">{subject}</span>;
  return (
    <a class="mono" href={hrefOf(`/${screen}/${subject}`)}>
      {subject}
    </a>
  );
};

const Row = ({ endpointId, item }: { endpointId: string; item: Item }) => (
  <tr>
    <th scope="row">
      <a href={hrefOf(`/endpoints/${endpointId}/${item.eventId}`)}>{item.type}</a>
    </th>
    <td>
      <SubjectLink subject={item.subject} />
    </td>
    <td class="number">{item.sequence}</td>
    <td>
      <EventStatus status={item.status} />
    </td>
    <td>{item.lastAttempt !== undefined && resultOf(item.lastAttempt)}</td>
    <td>
      <Time at={item.updatedAt} />
    </td>
  </tr>
);

const columnsOf = () => [
  t().event,
  t().subject,
  `#${t().sequence}`,
  common().status,
  t().lastAttempt,
  common().updated,
];

/** The events that are retried. Each one holds back the later events of its subject. */
export const BlockedStreams = ({ endpointId }: { endpointId: string }) => {
  const pages = usePages(listWebhookDeliveries, { endpointId, status: 'retrying', limit: 10 });
  return (
    <Section title={t().blocked}>
      {pages.items !== undefined && pages.items.length > 0 && <p class="fine">{t().blockedHint}</p>}
      <PageTable
        of={pages}
        label={t().blocked}
        columns={columnsOf()}
        empty={t().noBlocked}
        row={(item) => <Row key={item.eventId} endpointId={endpointId} item={item} />}
      />
    </Section>
  );
};

const dayMs = 86_400_000;

const RedeliverRange = ({ endpointId, onClose }: { endpointId: string; onClose: () => void }) => {
  const [from, setFrom] = useState(new Date(Date.now() - dayMs).toISOString());
  const [until, setUntil] = useState(new Date().toISOString());
  const [status, setStatus] = useState('failed');
  const input = { endpointId, from, until, status } as Input<'redeliverWebhooks'>;
  return (
    <RangeDialog
      title={t().range}
      operation={redeliverWebhooks}
      input={from === '' || until === '' ? undefined : input}
      sendLabel={t().redeliver}
      countOf={({ redelivered, looked, nextCursor }) => ({ count: redelivered, examined: looked, nextCursor })}
      onClose={onClose}
    >
      <p>{t().rangeText}</p>
      <div class="filter-bar">
        <TimeField label={t().from} value={from} onChange={setFrom} required />
        <TimeField label={t().until} value={until} onChange={setUntil} required />
        <SelectField
          label={t().which}
          value={status}
          options={[
            ['failed', t().onlyFailed],
            ['any', common().all],
          ]}
          onChange={setStatus}
        />
      </div>
    </RangeDialog>
  );
};

const filterNames = ['status', 'type', 'from'] as const;

/** The deliveries of an endpoint, with their filters in the address. */
export const Deliveries = ({ endpoint }: { endpoint: Output<'getWebhookEndpoint'> }) => {
  const { endpointId, enabled } = endpoint;
  const [isRange, setRange] = useState(false);
  const filters = filtersFromQuery(filterNames);
  const pages = usePages(listWebhookDeliveries, {
    endpointId,
    ...filters,
    limit: 50,
  } as Input<'listWebhookDeliveries'>);
  const texts = t();
  return (
    <Section
      title={texts.deliveries}
      actions={
        <>
          {!enabled && (
            <span class="fine" id="range-hint">
              {texts.disabledHint}
            </span>
          )}
          <button
            type="button"
            disabled={!enabled}
            {...(!enabled && { 'aria-describedby': 'range-hint' })}
            onClick={() => setRange(true)}
          >
            {texts.range}
          </button>
          <button type="button" onClick={pages.reload}>
            {common().reload}
          </button>
        </>
      }
    >
      <p class="fine">{texts.deliveriesHint}</p>
      <div class="filter-bar" role="group" aria-label={common().filters}>
        <SelectField
          label={common().status}
          value={filters.status ?? ''}
          noneLabel={common().all}
          options={Object.entries(texts.status)}
          onChange={(status) => setQuery({ status })}
        />
        <TextField isFilter label={texts.type} value={filters.type ?? ''} onChange={(type) => setQuery({ type })} />
        <TimeField label={texts.from} value={filters.from ?? ''} onChange={(from) => setQuery({ from })} />
      </div>
      <PageTable
        of={pages}
        label={texts.deliveries}
        columns={columnsOf()}
        empty={common().noDelivery}
        row={(item) => <Row key={item.eventId} endpointId={endpointId} item={item} />}
      />
      {isRange && (
        <RedeliverRange
          endpointId={endpointId}
          onClose={() => {
            setRange(false);
            pages.reload();
          }}
        />
      )}
    </Section>
  );
};
