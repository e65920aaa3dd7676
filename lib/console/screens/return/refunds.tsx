import { Badge, Money, Time, type Tone } from '../../components/basics.tsx';
import { TableWrap } from '../../components/page-table.tsx';
import { codeText } from '../../forms/value-texts.ts';
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

const Part = ({ name, of, sign = '' }: { name: string; of: { amount: number; currency: string }; sign?: string }) => (
  <li>
    {name} {sign}
    <Money of={of} />
  </li>
);

/** The parts of a refund: goods, shipping and others, less deductions. */
const Parts = ({ breakdown }: Pick<Refund, 'breakdown'>) => {
  const { value, titles } = useScreen();
  const { lines, deductions, shipping, charges, exchange, other, reductions = [], extras = [] } = breakdown;
  const titleOf = (orderLineId: string) => {
    const line = value.lines.find((candidate) => candidate.orderLineId === orderLineId);
    return line === undefined ? orderLineId : (titles[line.lineId] ?? line.sku ?? orderLineId);
  };
  return (
    <ul class="parts">
      {lines.map((line) => (
        <Part key={line.orderLineId} name={`${line.quantity} × ${titleOf(line.orderLineId)}`} of={line.gross} />
      ))}
      {deductions.map(({ type, amount }) => (
        <Part key={type} name={codeText('type', type)} of={{ ...amount, amount: -amount.amount }} />
      ))}
      {exchange !== undefined && <Part name={codeText('type', 'exchange')} of={exchange} />}
      {shipping.amount > 0 && <Part name={t().shipping} of={shipping} />}
      {charges !== undefined && <Part name={t().charges} of={charges} />}
      {other.amount > 0 && <Part name={t().other} of={other} />}
      {reductions.map(({ orderLineId, quantity, gross }) => (
        <Part name={`${codeText('type', 'price_reduction')} · ${quantity} × ${titleOf(orderLineId)}`} of={gross} />
      ))}
      {extras.map(({ type, amount }) => (
        <Part name={codeText('type', type)} of={amount} />
      ))}
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
        </span>
        {refund.tenders?.map(({ paymentId, method, amount }) => (
          <span key={paymentId} class="fine block">
            {method} <Money of={amount} />
          </span>
        ))}
      </td>
      <td>
        <Parts breakdown={refund.breakdown} />
        {refund.discrepancies.map(({ code, detail }) => (
          <p key={code} class="eligibility">
            {detail}
          </p>
        ))}
      </td>
      <td>
        <span class="block">
          {t().bookedAt} <Time at={refund.recordedAt} />
        </span>
        {refund.occurredAt !== undefined && (
          <span class="block">
            {t().paidAt} <Time at={refund.occurredAt} />
          </span>
        )}
        {refund.providerRef !== undefined && (
          <span class="fine block">
            {t().reference} <code>{refund.providerRef}</code>
          </span>
        )}
        {refund.attempts.length > 1 && (
          <span class="fine block">
            {t().attempts}: {refund.attempts.map(({ status }) => codeText('status', status)).join(', ')}
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
