import type { Output } from '../../contract/contract.ts';
import { isOpen } from '../api/use-job.ts';
import { common } from '../texts/common.ts';
import { formatNumber } from '../texts/format.ts';
import { Facts, Json, Time } from './basics.tsx';
import { BulkResults } from './bulk-results.tsx';
import { CheckedLink } from './checked-link.tsx';
import { JobStatusBadge } from './job-status.tsx';
import { Columns, TableWrap } from './page-table.tsx';
import { t } from './texts.ts';

type Job = Output<'getJob'>;

export const jobKinds = (): [string, string][] => Object.entries(t().jobProgress.kind);
export const kindOf = (kind: Job['kind']): string => t().jobProgress.kind[kind];

const numbersOf = (value: Job): readonly (readonly [string, number])[] => {
  const texts = t().jobProgress;
  if (value.kind === 'backtest') return [[texts.decisions, value.progress.examined]];
  if (value.kind === 'export')
    return [
      [texts.examined, value.progress.examined],
      [texts.rows, value.progress.rows],
    ];
  if (value.kind === 'bulk')
    return [
      [texts.succeeded, value.progress.succeeded],
      [texts.refused, value.progress.refused],
      [texts.failedItems, value.progress.failed],
    ];
  const { erased, kept } = value.report;
  const verb = value.request.countOnly ? texts.counted : texts.erased;
  return [
    [texts.passes, value.progress.passes],
    [`${verb}: ${texts.persons}`, erased.persons],
    [`${verb}: ${texts.personTexts}`, erased.texts],
    [`${verb}: ${texts.evidence}`, erased.files],
    [`${verb}: ${texts.deliveries}`, erased.deliveries],
    [texts.kept, kept.returns],
  ];
};

const Files = ({ of, onReload }: { of: Extract<Job, { kind: 'export' }>['files']; onReload: () => void }) => {
  if (of === undefined) return <p class="fine">{t().jobProgress.filesGone}</p>;
  return (
    <>
      <TableWrap label={t().jobProgress.files}>
        <Columns names={[t().jobProgress.files, `#${t().jobProgress.fileRows}`, `#${t().jobProgress.size}`]} />
        <tbody>
          {of.map(({ name, rows, bytes, url }) => (
            <tr key={name}>
              <th scope="row">
                <CheckedLink url={url}>{name}</CheckedLink>
              </th>
              <td class="number">{formatNumber(rows)}</td>
              <td class="number">{formatNumber(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
      <div class="row">
        <button type="button" onClick={onReload}>
          {common().reload}
        </button>
        <span class="fine">{t().jobProgress.linkHint}</span>
      </div>
    </>
  );
};

/** A job: its status, its progress, and its results. */
export const JobProgress = ({ value, onReload }: { value: Job; onReload: () => void }) => {
  const texts = t().jobProgress;
  const { status, failure, kind } = value;
  return (
    <div class="stack" aria-live="polite">
      <Facts
        rows={[
          [
            texts.job,
            <span key="job" class="mono">
              {value.jobId}
            </span>,
          ],
          [common().status, <JobStatusBadge key="status" status={status} />],
          [texts.failure, failure && texts.failures[failure.code]],
          [common().created, <Time key="created" at={value.createdAt} />],
          [common().updated, <Time key="updated" at={value.updatedAt} />],
          ...numbersOf(value).map(([name, count]) => [name, formatNumber(count)] as const),
        ]}
      />
      {isOpen(status) && <progress aria-label={kindOf(kind)} />}
      {kind === 'export' && status === 'done' && <Files of={value.files} onReload={onReload} />}
      {kind === 'bulk' && value.results.length > 0 && <BulkResults of={value} />}
      <details>
        <summary>{texts.request}</summary>
        <Json value={value.request} />
      </details>
      {kind === 'backtest' && (
        <details>
          <summary>{texts.report}</summary>
          <Json value={value.report} />
        </details>
      )}
    </div>
  );
};
