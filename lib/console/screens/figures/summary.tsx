import type { ComponentChildren } from 'preact';
import type { Output } from '../../../contract/contract.ts';
import type { Loaded } from '../../api/use-call.ts';
import { hrefOf } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Empty, Money, Section, Time } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { formatNumber } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import { BarChart } from './chart.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Summary = Output<'getSummary'>;

const Card = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="card">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** One amount for each currency. */
const Sums = ({ of }: { of: Summary['due'] }) =>
  of.length === 0 ? (
    <>{common().none}</>
  ) : (
    <>
      {of.map((sum) => (
        <div key={sum.currency}>
          <Money of={sum} />
        </div>
      ))}
    </>
  );

/** How current the figures are. */
export const Freshness = ({ of: { counted, changed } }: { of: Summary['freshness'] }) => (
  <p class="fine">
    {counted === changed || counted === undefined ? (
      t().fresh
    ) : (
      <>
        {t().stale} <Time at={counted} />
      </>
    )}
  </p>
);

type Row = { readonly code: string; readonly name: string; readonly value: number };

const CountTable = ({
  title,
  head,
  query,
  rows,
}: {
  title: string;
  head: string;
  query: string;
  rows: readonly Row[];
}) => (
  <Section title={title}>
    {rows.length === 0 ? (
      <Empty>{t().noReturn}</Empty>
    ) : (
      <>
        <BarChart title={title} bars={rows} />
        <TableWrap label={title}>
          <Columns names={[head, `#${titles().queue}`]} />
          <tbody>
            {rows.map(({ code, name, value }) => (
              <tr key={code}>
                <th scope="row">
                  {query === '' ? (
                    name
                  ) : (
                    <a href={hrefOf(`/?${new URLSearchParams({ [query]: code }).toString()}`)}>{name}</a>
                  )}
                </th>
                <td class="number">{formatNumber(value)}</td>
              </tr>
            ))}
          </tbody>
        </TableWrap>
      </>
    )}
  </Section>
);

const Cards = ({ value }: { value: Summary }) => {
  const texts = t();
  const { overdue, requested } = value;
  return (
    <Section title={texts.now}>
      <dl class="cards">
        <Card name={titles().queue}>{formatNumber(value.returns)}</Card>
        <Card name={texts.open}>{formatNumber(value.open)}</Card>
        <Card name={texts.overdue}>{`${formatNumber(overdue.count)}${overdue.atLeast ? '+' : ''}`}</Card>
        <Card name={texts.today}>{formatNumber(requested.today)}</Card>
        <Card name={texts.last7}>{formatNumber(requested.last7Days)}</Card>
        <Card name={texts.last30}>{formatNumber(requested.last30Days)}</Card>
        <Card name={texts.due}>
          <Sums of={value.due} />
        </Card>
        <Card name={texts.refunded}>
          <Sums of={value.refunded} />
        </Card>
      </dl>
      <p class="fine more">{texts.moneyHint}</p>
      <Freshness of={value.freshness} />
    </Section>
  );
};

/** The figures as they are now. */
export const SummarySection = ({ of }: { of: Loaded<Summary> }) => (
  <Resource of={of}>
    {(value) => (
      <div class="stack">
        <Cards value={value} />
        <div class="halves">
          <CountTable
            title={t().byStatus}
            head={common().status}
            query="status"
            rows={value.statuses.map(({ status, returns }) => ({
              code: status,
              name: label('status', status),
              value: returns,
            }))}
          />
          <CountTable
            title={t().byRefund}
            head={fieldText('refundStatus')}
            query=""
            rows={value.refundStatuses.map(({ refundStatus, returns }) => ({
              code: refundStatus,
              name: label('refund', refundStatus),
              value: returns,
            }))}
          />
        </div>
      </div>
    )}
  </Resource>
);
