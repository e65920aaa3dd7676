import { useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import { listInboxDeliveries, redrive } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { filtersFromQuery } from '../../app/filters.ts';
import { hrefOf, setQuery } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { titles } from '../../app/texts.ts';
import { Time } from '../../components/basics.tsx';
import { SelectField, TextField, TimeField } from '../../components/fields.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { RedriveDialog } from '../../components/redrive-dialog.tsx';
import { common } from '../../texts/common.ts';
import { InboxDelivery } from './delivery.tsx';
import { ReplayRangeDialog } from './replay-dialogs.tsx';
import { DeliveryStatus } from './status.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

const filterNames = ['status', 'platform', 'source', 'orderId', 'returnId', 'receivedFrom'] as const;

type Filters = Partial<Record<(typeof filterNames)[number], string>>;

const FilterBar = ({ values }: { values: Filters }) => (
  <section class="section filter-bar" aria-label={common().filters}>
    <SelectField
      label={common().status}
      value={values.status ?? ''}
      noneLabel={common().all}
      options={Object.entries(t().status)}
      onChange={(status) => setQuery({ status })}
    />
    <TextField
      isFilter
      label={common().platform}
      value={values.platform ?? ''}
      onChange={(platform) => setQuery({ platform })}
    />
    <TextField isFilter label={t().source} value={values.source ?? ''} onChange={(source) => setQuery({ source })} />
    <TextField
      isFilter
      label={t().orderId}
      hint={t().orderHint}
      value={values.orderId ?? ''}
      onChange={(orderId) => setQuery({ orderId })}
    />
    <TextField
      isFilter
      label={t().returnId}
      value={values.returnId ?? ''}
      onChange={(returnId) => setQuery({ returnId })}
    />
    <TimeField
      label={t().receivedFrom}
      value={values.receivedFrom ?? ''}
      onChange={(receivedFrom) => setQuery({ receivedFrom })}
    />
  </section>
);

const Row = ({ item }: { item: Output<'listInboxDeliveries'>['items'][number] }) => (
  <tr>
    <th scope="row">
      <a href={hrefOf(`/inbox/${item.deliveryKey}`)}>
        <Time at={item.receivedAt} />
      </a>
    </th>
    <td>
      <DeliveryStatus status={item.status} />
    </td>
    <td class="wrap">{item.reason ?? item.lastError}</td>
    <td>{item.platform}</td>
    <td>{item.topic}</td>
    <td>{item.orderId}</td>
    <td>{item.returnId !== undefined && <a href={hrefOf(`/returns/${item.returnId}`)}>{item.returnId}</a>}</td>
    <td class="number">{item.attempts}</td>
    <td>{item.source}</td>
  </tr>
);

const InboxList = () => {
  const [open, setOpen] = useState<'range' | 'redrive' | undefined>();
  const filters = filtersFromQuery(filterNames);
  const pages = usePages(listInboxDeliveries, { ...filters, limit: 50 } as Input<'listInboxDeliveries'>);
  const texts = t();
  const close = () => {
    setOpen(undefined);
    pages.reload();
  };
  const columns = [
    texts.receivedAt,
    common().status,
    texts.cause,
    common().platform,
    texts.topic,
    common().order,
    titles().returns,
    `#${fieldText('attempts')}`,
    texts.source,
  ];
  return (
    <>
      <header class="screen-head">
        <h1>{titles().inbox}</h1>
        <div class="actions">
          <button type="button" onClick={() => setOpen('range')}>
            {texts.range}
          </button>
          <button type="button" onClick={() => setOpen('redrive')}>
            {texts.redrive}
          </button>
          <button type="button" onClick={pages.reload}>
            {common().reload}
          </button>
        </div>
      </header>
      <div class="stack">
        <p class="fine">{texts.intro}</p>
        <FilterBar values={filters} />
        <div class="section">
          <PageTable
            of={pages}
            label={titles().inbox}
            columns={columns}
            empty={common().noDelivery}
            row={(item) => <Row key={item.deliveryKey} item={item} />}
          />
        </div>
      </div>
      {open === 'range' && <ReplayRangeDialog filters={filters} onClose={close} />}
      {open === 'redrive' && <RedriveDialog operation={redrive} input={{}} title={texts.redrive} onClose={close} />}
    </>
  );
};

/** The webhooks of the shops, or one of them. */
export const Screen = ({ id }: ScreenProps) => (id === '' ? <InboxList /> : <InboxDelivery deliveryKey={id} />);
