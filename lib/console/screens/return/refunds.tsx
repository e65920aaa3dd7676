import { Badge, Money, Time, type Tone } from '../../components/basics.tsx';
import { TableWrap } from '../../components/page-table.tsx';
import { refundedText } from '../../components/return-badges.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { codeText, valueText } from '../../forms/value-texts.ts';
import { common } from '../../texts/common.ts';
import { formatMoney } from '../../texts/format.ts';
import type { Return } from './commands.ts';
import { useScreen } from './context.ts';
import { ResultButton } from './result-button.tsx';
import { t } from './texts.ts';

type Refund = Return['refunds'][number];

const tones: Readonly<Record<Refund['status'], Tone>> = {
  pending: 'warning',
  submitted: 'active',
  succeeded: 'good',
  failed: 'bad',
  unknown: 'bad',
  reversed: 'neutral',
  cancelled: 'neutral',
};

type Part = readonly [name: string, of: { readonly amount: number; readonly currency: string } | undefined];

const negative = ({ type, amount }: Refund['breakdown']['deductions'][number]) => ({
  type,
  amount: { ...amount, amount: -amount.amount },
});

/** The parts of a refund: goods, shipping and others, less deductions. */
const Parts = ({ breakdown }: Pick<Refund, 'breakdown'>) => {
  const { value, titles } = useScreen();
  const { lines, deductions, shipping, charges, exchange, other, reductions = [], extras = [] } = breakdown;
  const unitsOf = ({ orderLineId, quantity }: Refund['breakdown']['lines'][number]) => {
    const line = value.lines.find((candidate) => candidate.orderLineId === orderLineId);
    return `${quantity} × ${line === undefined ? orderLineId : (titles[line.lineId] ?? line.sku ?? orderLineId)}`;
  };
  const parts: readonly Part[] = [
    ...lines.map((line): Part => [unitsOf(line), line.gross]),
    ...reductions.map((units): Part => [`${codeText('type', 'price_reduction')} · ${unitsOf(units)}`, units.gross]),
    ...[...deductions.map(negative), ...extras].map(({ type, amount }): Part => [codeText('type', type), amount]),
    [codeText('type', 'exchange'), exchange],
    [fieldText('shipping'), shipping],
    [fieldText('charges'), charges],
    [fieldText('other'), other],
  ];
  return (
    <ul class="parts">
      {parts.map(
        ([name, of]) =>
          of !== undefined &&
          of.amount !== 0 && (
            <li>
              {name} <Money of={of} />
            </li>
          ),
      )}
    </ul>
  );
};

const Row = ({ refund, place }: { refund: Refund; place: number }) => {
  return (
    <tr>
      <td>
        <Badge tone={tones[refund.status]}>{codeText('status', refund.status)}</Badge>
        <span class="fine block">
          {codeText('method', refund.method)}
          {refund.external !== undefined && ` · ${t().outside}: ${refund.external.platform}`}
          {refund.tenders?.map(({ method, amount }) => ` · ${method} ${formatMoney(amount)}`)}
        </span>
      </td>
      <td>
        <Parts breakdown={refund.breakdown} />
        <ul class="parts fine">
          {refund.vat?.map(({ part, type = part, name = codeText('type', type), net, tax, taxes }, index) => (
            <li key={index}>
              {name}: {valueText('vat', { net, tax })}
              {taxes?.map(({ rate, amount }) => ` · ${rate ?? '–'} %: ${formatMoney(amount)}`)}
            </li>
          ))}
        </ul>
        {refund.discrepancies.map(({ code, detail }) => (
          <p key={code} class="eligibility">
            {detail}
          </p>
        ))}
      </td>
      <td>
        <span class="block">
          {fieldText('booked')} <Time at={refund.recordedAt} />
        </span>
        {refund.occurredAt !== undefined && (
          <span class="block">
            {common().paid} <Time at={refund.occurredAt} />
          </span>
        )}
        {refund.providerRef !== undefined && (
          <span class="fine block">
            {fieldText('reference')} <code>{refund.providerRef}</code>
          </span>
        )}
        {refund.attempts.length > 1 && (
          <span class="fine block">
            {fieldText('attempts')}: {refund.attempts.map(({ status }) => codeText('status', status)).join(', ')}
          </span>
        )}
      </td>
      <td class="number">
        <strong>
          <Money of={refund.amount} />
        </strong>
      </td>
      <td>
        <ResultButton refund={refund} text={t().recordResult} place={place} />
      </td>
    </tr>
  );
};

/** The refunds with their parts and results. */
export const Refunds = () => {
  const { value } = useScreen();
  return (
    <>
      <h3>{t().refunds}</h3>
      {(value.refundStatus === 'refunded' || value.refundStatus === 'partially_refunded') && (
        <p class="fine">{refundedText(value)}</p>
      )}
      {value.refunds.length === 0 ? (
        <p class="fine">{t().noRefund}</p>
      ) : (
        <TableWrap label={t().refunds}>
          <tbody>
            {value.refunds.map((refund, index) => (
              <Row key={refund.refundId} refund={refund} place={index + 1} />
            ))}
          </tbody>
        </TableWrap>
      )}
    </>
  );
};
