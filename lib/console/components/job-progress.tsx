import type { Output } from '../../contract/contract.ts';
import { isOpen } from '../api/use-job.ts';
import { common } from '../texts/common.ts';
import { formatNumber } from '../texts/format.ts';
import { texts } from '../texts/language.ts';
import { Facts, Json, Time } from './basics.tsx';
import { BulkResults } from './bulk-results.tsx';
import { CheckedLink } from './checked-link.tsx';
import { JobStatusBadge } from './job-status.tsx';
import { Columns, TableWrap } from './page-table.tsx';

const t = texts(
  {
    kind: { backtest: 'Backtest', export: 'Export', erasure: 'Erasure', bulk: 'Command on many returns' },
    job: 'Job',
    created: 'Created',
    updated: 'Last change',
    failure: 'Failure',
    failures: {
      dependency_unavailable: 'A dependency was not available.',
      internal_error: 'An internal error.',
      timeout: 'It took too long.',
      too_large: 'It cannot be done as it was requested. Narrow it.',
    },
    request: 'Request',
    examined: 'Returns read',
    rows: 'Rows written',
    decisions: 'Decisions read',
    succeeded: 'Succeeded',
    refused: 'Refused',
    failedItems: 'Failed',
    passes: 'Passes through the data',
    erased: 'Deleted',
    counted: 'Would be deleted',
    persons: 'persons',
    personTexts: 'texts',
    evidence: 'files of evidence',
    deliveries: 'webhook deliveries',
    kept: 'Returns that stay',
    files: 'Files',
    size: 'Bytes',
    fileRows: 'Rows',
    linkHint: 'A link is valid for five minutes. Reload for a new one.',
    filesGone: 'The files are deleted seven days after the job was created.',
    report: 'Report',
  },
  {
    kind: { backtest: 'Simulação', export: 'Exportação', erasure: 'Apagamento', bulk: 'Comando em várias devoluções' },
    job: 'Tarefa',
    created: 'Criada',
    updated: 'Última alteração',
    failure: 'Falha',
    failures: {
      dependency_unavailable: 'Uma dependência não estava disponível.',
      internal_error: 'Um erro interno.',
      timeout: 'Demorou demasiado.',
      too_large: 'Não é possível como foi pedida. Reduza o pedido.',
    },
    request: 'Pedido',
    examined: 'Devoluções lidas',
    rows: 'Linhas escritas',
    decisions: 'Decisões lidas',
    succeeded: 'Concluídas',
    refused: 'Recusadas',
    failedItems: 'Falhadas',
    passes: 'Passagens pelos dados',
    erased: 'Eliminados',
    counted: 'Seriam eliminados',
    persons: 'pessoas',
    personTexts: 'textos',
    evidence: 'ficheiros de prova',
    deliveries: 'entregas de webhooks',
    kept: 'Devoluções que ficam',
    files: 'Ficheiros',
    size: 'Bytes',
    fileRows: 'Linhas',
    linkHint: 'Uma ligação é válida durante cinco minutos. Atualize para obter outra.',
    filesGone: 'Os ficheiros são eliminados sete dias depois da criação da tarefa.',
    report: 'Relatório',
  },
  {
    failures: { timeout: 'Demorou demais.', too_large: 'Não é possível como foi pedida. Reduza a solicitação.' },
    request: 'Solicitação',
    erased: 'Excluídos',
    counted: 'Seriam excluídos',
    evidence: 'arquivos de prova',
    files: 'Arquivos',
    linkHint: 'Um link é válido por cinco minutos. Atualize para obter outro.',
    filesGone: 'Os arquivos são excluídos sete dias depois da criação da tarefa.',
  },
);

type Job = Output<'getJob'>;

export const jobKinds = (): [string, string][] => Object.entries(t().kind);
export const kindOf = (kind: Job['kind']): string => t().kind[kind];

const numbersOf = (value: Job): readonly (readonly [string, number])[] => {
  const texts = t();
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
  if (of === undefined) return <p class="fine">{t().filesGone}</p>;
  return (
    <>
      <TableWrap label={t().files}>
        <Columns names={[t().files, `#${t().fileRows}`, `#${t().size}`]} />
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
        <span class="fine">{t().linkHint}</span>
      </div>
    </>
  );
};

/** A job: its status, its progress, and its results. */
export const JobProgress = ({ value, onReload }: { value: Job; onReload: () => void }) => {
  const texts = t();
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
          [kindOf(kind), <JobStatusBadge key="status" status={status} />],
          [texts.failure, failure && texts.failures[failure.code]],
          [texts.created, <Time key="created" at={value.createdAt} />],
          [texts.updated, <Time key="updated" at={value.updatedAt} />],
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
