import type { Output } from '../../contract/contract.ts';
import { hrefOf } from '../app/router.ts';
import { Badge, type Tone } from './basics.tsx';
import { Columns, TableWrap } from './page-table.tsx';
import { StatusBadge } from './return-badges.tsx';
import { t } from './texts.ts';
import { common } from '../texts/common.ts';

type Job = Pick<Extract<Output<'getJob'>, { kind: 'bulk' }>, 'results' | 'request'>;
type Result = Job['results'][number];

const tones: Readonly<Record<Result['outcome'], Tone>> = { succeeded: 'good', refused: 'warning', failed: 'bad' };

const Outcome = ({ of, isDry }: { of: Result | undefined; isDry: boolean }) => {
  if (of === undefined) return <span class="fine">{t().bulkResults.pending}</span>;
  const { outcome } = of;
  return (
    <Badge tone={tones[outcome]}>
      {isDry && outcome === 'succeeded' ? t().bulkResults.possible : t().bulkResults.outcome[outcome]}
    </Badge>
  );
};

/** A dialog has names, and no links: a link would leave it. */
const Name = ({ returnId, name }: { returnId: string; name: string | undefined }) =>
  name === undefined ? (
    <a class="mono" href={hrefOf(`/returns/${returnId}`)}>
      {returnId}
    </a>
  ) : (
    <span class="mono">{name}</span>
  );

/** What one command did, or would do, on each of many returns. */
export const BulkResults = ({
  of: { results, request },
  names,
}: {
  of: Job;
  /** The name of each return by its id, also of those without a result. Absent: the results only. */
  names?: ReadonlyMap<string, string>;
}) => {
  const byId = new Map(results.map((result) => [result.returnId, result]));
  return (
    <TableWrap label={t().bulkResults.title}>
      <Columns names={[t().bulkResults.name, common().result, t().bulkResults.why]} />
      <tbody>
        {[...(names ?? byId).keys()].map((returnId) => {
          const result = byId.get(returnId);
          return (
            <tr key={returnId}>
              <th scope="row">
                <Name returnId={returnId} name={names?.get(returnId)} />
              </th>
              <td>
                <Outcome of={result} isDry={request.dryRun} />
              </td>
              <td class="wrap">
                {result?.problem?.detail ?? (result?.status !== undefined && <StatusBadge status={result.status} />)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </TableWrap>
  );
};
