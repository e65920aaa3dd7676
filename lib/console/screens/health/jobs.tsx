import type { Input, Output } from '../../../contract/contract.ts';
import { listJobs } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { filtersFromQuery } from '../../app/filters.ts';
import { hrefOf, setQuery } from '../../app/router.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { Section, Time } from '../../components/basics.tsx';
import { SelectField } from '../../components/fields.tsx';
import { jobKinds, kindOf } from '../../components/job-progress.tsx';
import { jobStatuses, JobStatusBadge } from '../../components/job-status.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { common } from '../../texts/common.ts';
import { label } from '../../texts/labels.ts';
import { t } from './texts.ts';

type Item = Output<'listJobs'>['items'][number];

/** What a job is about, in a few words. */
const subjectOf = (item: Item): string => {
  if (item.kind === 'backtest') return `${item.request.policyId} · ${item.request.version}`;
  if (item.kind === 'export') return item.request.format;
  if (item.kind === 'bulk') return `${label('action', item.request.command)} · ${item.request.items}`;
  const { platform, customerId, orderId, withdrawalId, userId, countOnly } = item.request;
  const id = [platform, customerId ?? orderId ?? withdrawalId ?? userId].filter((part) => part !== undefined).join(' ');
  return countOnly ? `${id} · ${t().count}` : id;
};

const Row = ({ item }: { item: Item }) => (
  <tr>
    <th scope="row">
      <a href={hrefOf(`/health/${item.jobId}`)}>{kindOf(item.kind)}</a>
    </th>
    <td>
      <JobStatusBadge status={item.status} />
    </td>
    <td class="wrap">{subjectOf(item)}</td>
    <td>
      <ActorName actor={item.createdBy} byList />
    </td>
    <td>
      <Time at={item.createdAt} />
    </td>
    <td>
      <Time at={item.updatedAt} relative />
    </td>
  </tr>
);

const filterNames = ['kind', 'status'] as const;

/** The jobs of the last 90 days. */
export const Jobs = () => {
  const filters = filtersFromQuery(filterNames);
  const pages = usePages(listJobs, { ...filters, limit: 25 } as Input<'listJobs'>);
  const texts = t();
  return (
    <Section
      title={texts.jobs}
      actions={
        <button type="button" onClick={pages.reload}>
          {common().reload}
        </button>
      }
    >
      <div class="filter-bar" role="group" aria-label={common().filters}>
        <SelectField
          label={texts.kindLabel}
          value={filters.kind ?? ''}
          noneLabel={common().all}
          options={jobKinds()}
          onChange={(kind) => setQuery({ kind })}
        />
        <SelectField
          label={common().status}
          value={filters.status ?? ''}
          noneLabel={common().all}
          options={jobStatuses()}
          onChange={(status) => setQuery({ status })}
        />
      </div>
      <PageTable
        of={pages}
        label={texts.jobs}
        columns={[texts.kindLabel, common().status, texts.about, common().by, common().created, common().updated]}
        empty={texts.noJobs}
        row={(item) => <Row key={item.jobId} item={item} />}
      />
    </Section>
  );
};
