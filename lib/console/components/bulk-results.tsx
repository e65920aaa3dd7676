import type { Output } from '../../contract/contract.ts';
import { hrefOf } from '../app/router.ts';
import { texts } from '../texts/language.ts';
import { Badge, type Tone } from './basics.tsx';
import { Columns, TableWrap } from './page-table.tsx';
import { StatusBadge } from './return-badges.tsx';

const t = texts(
  {
    title: 'Results',
    name: 'Return',
    outcomeColumn: 'Result',
    outcome: { succeeded: 'Done', refused: 'Refused', failed: 'Failed' },
    possible: 'Possible',
    pending: 'No result yet',
    why: 'Status or reason',
  },
  {
    title: 'Resultados',
    name: 'Devolução',
    outcomeColumn: 'Resultado',
    outcome: { succeeded: 'Feito', refused: 'Recusado', failed: 'Falhou' },
    possible: 'Possível',
    pending: 'Ainda sem resultado',
    why: 'Estado ou motivo',
  },
  { why: 'Status ou motivo' },
);

type Job = Pick<Extract<Output<'getJob'>, { kind: 'bulk' }>, 'results' | 'request'>;
type Result = Job['results'][number];

const tones: Readonly<Record<Result['outcome'], Tone>> = { succeeded: 'good', refused: 'warning', failed: 'bad' };

const Outcome = ({ of, isDry }: { of: Result | undefined; isDry: boolean }) => {
  if (of === undefined) return <span class="fine">{t().pending}</span>;
  const { outcome } = of;
  return <Badge tone={tones[outcome]}>{isDry && outcome === 'succeeded' ? t().possible : t().outcome[outcome]}</Badge>;
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
    <TableWrap label={t().title}>
      <Columns names={[t().name, t().outcomeColumn, t().why]} />
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
