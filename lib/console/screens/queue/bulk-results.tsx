import { Badge } from '../../components/basics.tsx';
import { StatusBadge } from '../../components/return-badges.tsx';
import type { Summary } from './selection.ts';
import { t } from './texts.ts';
import { type BulkJob, hasEnded } from './use-bulk.ts';

type Result = BulkJob['results'][number];

const tones = { succeeded: 'good', refused: 'warning', failed: 'bad' } as const;

const Outcome = ({ of, isDry }: { of: Result | undefined; isDry: boolean }) => {
  const text = t().bulk;
  if (of === undefined) return <span class="fine">{text.pending}</span>;
  return (
    <Badge tone={tones[of.outcome]}>
      {isDry && of.outcome === 'succeeded' ? text.possible : text.outcome[of.outcome]}
    </Badge>
  );
};

/** The results of a bulk job, as far as it is: one row for each return. */
export const BulkResults = ({ job, items }: { job: BulkJob; items: readonly Summary[] }) => {
  const text = t().bulk;
  const { succeeded, refused, failed } = job.progress;
  const ended = succeeded + refused + failed;
  const isDry = job.request.dryRun;
  const results = new Map(job.results.map((result) => [result.returnId, result]));
  const summary = isDry ? text.dryResult(succeeded, refused + failed) : text.result(succeeded, refused + failed);
  return (
    <>
      <div role="status">
        {hasEnded(job) ? (
          <p>
            <strong>{job.status === 'done' ? summary : text.failed}</strong>
          </p>
        ) : (
          <p>
            {isDry ? text.previewing : text.running}{' '}
            <progress max={job.request.items} value={ended} aria-label={text.progress(ended, job.request.items)} />{' '}
            {text.progress(ended, job.request.items)}
          </p>
        )}
      </div>
      <div class="table-wrap queue-results" role="region" aria-label={text.outcomeColumn} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t().column.rma}</th>
              <th scope="col">{text.outcomeColumn}</th>
              <th scope="col">{text.why}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ returnId, rmaNumber }) => {
              const result = results.get(returnId);
              return (
                <tr key={returnId}>
                  <th scope="row" class="mono">
                    {rmaNumber}
                  </th>
                  <td>
                    <Outcome of={result} isDry={isDry} />
                  </td>
                  <td>
                    {result?.problem?.detail ??
                      (result?.status !== undefined && <StatusBadge status={result.status} />)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
};
