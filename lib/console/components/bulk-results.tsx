import type { Output } from '../../contract/contract.ts';
import { hrefOf } from '../app/router.ts';
import { label } from '../texts/labels.ts';
import { texts } from '../texts/language.ts';
import { Badge, type Tone } from './basics.tsx';
import { Columns, TableWrap } from './page-table.tsx';

const t = texts(
  {
    title: 'Results',
    returnId: 'Return',
    outcomeLabel: 'Outcome',
    outcome: { succeeded: 'Succeeded', refused: 'Refused', failed: 'Failed' },
    detail: 'Status or cause',
  },
  {
    title: 'Resultados',
    returnId: 'Devolução',
    outcomeLabel: 'Resultado',
    outcome: { succeeded: 'Concluída', refused: 'Recusada', failed: 'Falhada' },
    detail: 'Estado ou causa',
  },
  { outcome: { failed: 'Com falha' } },
);

type Results = Extract<Output<'getJob'>, { kind: 'bulk' }>['results'];

const tones: Readonly<Record<Results[number]['outcome'], Tone>> = {
  succeeded: 'good',
  refused: 'warning',
  failed: 'bad',
};

/** What one command did on each of many returns. */
export const BulkResults = ({ of }: { of: Results }) => (
  <TableWrap label={t().title}>
    <Columns names={[t().returnId, t().outcomeLabel, t().detail]} />
    <tbody>
      {of.map(({ returnId, outcome, status, problem }) => (
        <tr key={returnId}>
          <th scope="row">
            <a class="mono" href={hrefOf(`/returns/${returnId}`)}>
              {returnId}
            </a>
          </th>
          <td>
            <Badge tone={tones[outcome]}>{t().outcome[outcome]}</Badge>
          </td>
          <td class="wrap">{problem?.detail ?? (status !== undefined && label('status', status))}</td>
        </tr>
      ))}
    </tbody>
  </TableWrap>
);
