import type { Input, Output } from '../../../contract/contract.ts';
import { listWithdrawals } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { filtersFromQuery } from '../../app/filters.ts';
import { hrefOf, orderHref, setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Time } from '../../components/basics.tsx';
import { Deadline } from '../../components/deadline.tsx';
import { SelectField, TimeField } from '../../components/fields.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { common } from '../../texts/common.ts';
import { ReceiptStatus, RefundStatus, WithdrawalStatus } from './badges.tsx';
import { t } from './texts.ts';

const filterNames = ['status', 'receipt', 'refund', 'from', 'to', 'sort'] as const;

const Filters = ({ values }: { values: Partial<Record<(typeof filterNames)[number], string>> }) => (
  <section class="section filter-bar" aria-label={common().filters}>
    <SelectField
      label={common().status}
      value={values.status ?? ''}
      noneLabel={common().all}
      options={Object.entries(t().status)}
      onChange={(status) => setQuery({ status })}
    />
    <SelectField
      label={t().receiptLabel}
      value={values.receipt ?? ''}
      noneLabel={common().all}
      options={Object.entries(t().receipt)}
      onChange={(receipt) => setQuery({ receipt })}
    />
    <SelectField
      label={common().refund}
      value={values.refund ?? ''}
      noneLabel={common().all}
      options={Object.entries(t().refund)}
      onChange={(refund) => setQuery({ refund })}
    />
    <TimeField label={t().fromLabel} value={values.from ?? ''} onChange={(from) => setQuery({ from })} />
    <TimeField label={t().toLabel} value={values.to ?? ''} onChange={(to) => setQuery({ to })} />
    <SelectField
      label={t().sortLabel}
      value={values.sort ?? ''}
      noneLabel={t().byCreation}
      options={[['updatedAt', t().byChange]]}
      onChange={(sort) => setQuery({ sort })}
    />
  </section>
);

const Row = ({ item }: { item: Output<'listWithdrawals'>['items'][number] }) => (
  <tr>
    <th scope="row">
      <a href={hrefOf(`/withdrawals/${item.withdrawalId}`)}>{item.declaration?.name ?? common().erased}</a>
    </th>
    <td class="wrap">{item.declaration?.contract}</td>
    <td>{item.dueBy !== undefined && <Deadline at={item.dueBy} />}</td>
    <td>
      <Time at={item.declaredAt} />
    </td>
    <td>
      <WithdrawalStatus status={item.status} />
    </td>
    <td>
      <ReceiptStatus status={item.receipt} />
    </td>
    <td>{item.refund && <RefundStatus status={item.refund.status} />}</td>
    <td>{item.order && <a href={orderHref(item.order)}>{item.order.orderId}</a>}</td>
    <td>{item.order?.platform ?? item.platform}</td>
  </tr>
);

/** The declarations, with their filters in the address. */
export const WithdrawalQueue = () => {
  const filters = filtersFromQuery(filterNames);
  const pages = usePages(listWithdrawals, {
    ...filters,
    include: 'declaration',
    limit: 50,
  } as Input<'listWithdrawals'>);
  const texts = t();
  const columns = [
    common().name,
    texts.contract,
    texts.daysLeft,
    texts.declaredAt,
    common().status,
    texts.receiptLabel,
    common().refund,
    common().order,
    common().platform,
  ];
  return (
    <>
      <header class="screen-head">
        <h1>{titles().withdrawals}</h1>
        <button type="button" onClick={pages.reload}>
          {common().reload}
        </button>
      </header>
      <div class="stack">
        <p class="fine">{texts.intro}</p>
        <Filters values={filters} />
        <div class="section">
          <PageTable
            of={pages}
            label={titles().withdrawals}
            columns={columns}
            empty={texts.empty}
            row={(item) => <Row key={item.withdrawalId} item={item} />}
          />
        </div>
      </div>
    </>
  );
};
