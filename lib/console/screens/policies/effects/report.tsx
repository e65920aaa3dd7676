import type { Output } from '../../../../contract/contract.ts';
import { hrefOf } from '../../../app/router.ts';
import { titles } from '../../../app/texts.ts';
import { Facts, Section } from '../../../components/basics.tsx';
import { OrderLink } from '../../../components/order-link.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { common } from '../../../texts/common.ts';
import { formatMoney, formatNumber } from '../../../texts/format.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { MoneyMoved, type Moved } from './money-chart.tsx';
import { t } from './texts.ts';

export type Job = Extract<Output<'getJob'>, { kind: 'backtest' }>;
type Report = Job['report'];

/** A matrix of verdicts: rows before, and the columns with the draft. */
const Flips = ({
  title,
  kind,
  changes,
}: {
  title: string;
  kind: 'verdict' | 'lineVerdict';
  changes: Report['verdicts'] | Report['lines'];
}) => {
  const words = t();
  return (
    <Section title={title}>
      <TableWrap label={title}>
        <Columns names={[common().before, words.after, `#${words.count}`]} />
        <tbody>
          {changes.map(({ from, to, count }) => (
            <tr key={`${from}${to}`} {...(from !== to && { class: 'flip' })}>
              <td>{policyWord(kind, from)}</td>
              <td>{policyWord(kind, to)}</td>
              <td class="number">{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};

const worthWords = (worth: readonly Moved[]): string =>
  worth
    .flatMap(({ currency, up, down }) => [
      ...(up > 0 ? [`+ ${formatMoney({ amount: up, currency })}`] : []),
      ...(down > 0 ? [`− ${formatMoney({ amount: down, currency })}`] : []),
    ])
    .join(', ');

const ChangedLines = ({ title, of }: { title: string; of: Report['byReason'] }) => {
  const words = t();
  if (of.items.length === 0) return null;
  const rows = [...of.items, ...(of.rest === undefined ? [] : [{ name: words.rest, ...of.rest }])];
  return (
    <Section title={title}>
      <TableWrap label={title}>
        <Columns names={[common().name, `#${words.better}`, `#${words.worse}`, `#${words.worth}`]} />
        <tbody>
          {rows.map(({ name, better, worse, worth }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{formatNumber(better)}</td>
              <td class="number">{formatNumber(worse)}</td>
              <td class="number">{worthWords(worth)}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};

const Examples = ({ examples }: { examples: Report['examples'] }) => {
  const words = t();
  if (examples.length === 0) return null;
  return (
    <Section title={words.examples}>
      <TableWrap label={words.examples}>
        <Columns
          names={[
            common().order,
            titles().decisions,
            titles().returns,
            common().before,
            words.after,
            `#${common().refund}`,
          ]}
        />
        <tbody>
          {examples.map(({ decisionId, returnId, order, currency, before, after }) => (
            <tr key={decisionId}>
              <td>
                <OrderLink of={order} />
              </td>
              <td>
                <a href={hrefOf(`/decisions/${decisionId}`)}>{titles().decisions}</a>
              </td>
              <td>
                <a href={hrefOf(`/returns/${returnId}`)}>{titles().returns}</a>
              </td>
              <td>
                {policyWord('verdict', before.verdict)}{' '}
                {before.codes.length > 0 && <code>{before.codes.join(', ')}</code>}
              </td>
              <td>
                {policyWord('verdict', after.verdict)} {after.codes.length > 0 && <code>{after.codes.join(', ')}</code>}
              </td>
              <td class="number">
                {formatMoney({ amount: before.refund, currency })} → {formatMoney({ amount: after.refund, currency })}
              </td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};

const Failures = ({ failures }: { failures: Report['failures'] }) => {
  const words = t();
  if (failures.length === 0) return null;
  return (
    <Section title={words.failures}>
      <ul>
        {failures.map(({ code, count, decisionIds }) => (
          <li key={code}>
            {formatNumber(count)} · {words.failureCode[code]}{' '}
            {decisionIds.map((id) => (
              <a key={id} href={hrefOf(`/decisions/${id}`)} class="mono">
                {id}{' '}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** The effect of a draft on past decisions. */
export const ReportView = ({ report }: { report: Report }) => {
  const words = t();
  return (
    <>
      <Section title={common().result}>
        <Facts
          rows={[
            [words.compared, formatNumber(report.compared)],
            [words.unchanged, formatNumber(report.unchanged)],
            [words.others, formatNumber(report.others)],
          ]}
        />
        {report.compared === 0 && <p class="empty">{words.nothing}</p>}
      </Section>
      {report.compared > 0 && (
        <>
          <Section title={words.money}>
            <p class="fine">{words.moneyHint}</p>
            <MoneyMoved money={report.money} />
          </Section>
          <Flips title={words.flips} kind="verdict" changes={report.verdicts} />
          <Flips title={words.lineFlips} kind="lineVerdict" changes={report.lines} />
          <ChangedLines title={words.byReason} of={report.byReason} />
          <ChangedLines title={words.byCategory} of={report.byCategory} />
          <Examples examples={report.examples} />
        </>
      )}
      <Failures failures={report.failures} />
    </>
  );
};
