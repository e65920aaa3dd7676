import type { Output } from '../../../contract/contract.ts';
import { quoteReturn } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { Loading, Money, Section } from '../../components/basics.tsx';
import { feeWords } from '../../components/fee-words.ts';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { codeText } from '../../forms/value-texts.ts';
import { common } from '../../texts/common.ts';
import { formatDay, formatMoney } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import { isEnded, type Return } from './commands.ts';
import { useScreen } from './context.ts';
import { PartAction } from './part-action.tsx';
import { Refunds } from './refunds.tsx';
import { t } from './texts.ts';

type Decision = Output<'getDecision'>;
type Fee = Return['fees'][number];

/** The rules that set a fee, as the decision has them: one for the return, or one for each line. */
const rulesText = (fee: Fee, decision: Decision | undefined): string => {
  const fees = decision === undefined ? [] : [...decision.fees, ...decision.lines.flatMap((line) => line.fees ?? [])];
  const texts = fees
    .filter(({ type }) => type === fee.type)
    .map((rule) => `${rule.rule} · ${feeWords(rule, fee.amount.currency)}`);
  return texts.length === 0 ? '–' : [...new Set(texts)].join('; ');
};

const Fees = ({ decision }: { decision: Decision | undefined }) => {
  const { value } = useScreen();
  if (value.fees.length === 0) return null;
  return (
    <TableWrap label={common().fees}>
      <Columns
        names={[fieldText('fees'), common().rule, `#${fieldText('amount')}`, `#${t().applied}`, `#${t().waived}`, '']}
      />
      <tbody>
        {value.fees.map((fee) => (
          <tr key={fee.type}>
            <th scope="row">{codeText('type', fee.type)}</th>
            <td>{rulesText(fee, decision)}</td>
            <td class="number">
              <Money of={fee.amount} />
            </td>
            <td class="number">
              <Money of={fee.applied} />
            </td>
            <td class="number">
              <Money of={fee.waived} />
              {fee.reason !== undefined && <span class="fine block">{fee.reason.replaceAll('_', ' ')}</span>}
            </td>
            <td>
              {fee.amount.amount > fee.applied.amount + fee.waived.amount && (
                <PartAction
                  name="waiveFee"
                  text={t().waive}
                  about={codeText('type', fee.type)}
                  command={{ input: { type: fee.type }, initial: {} }}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  );
};

/** The steps of a sum, each with the rule in a sentence. */
const QuoteSteps = ({ quote }: { quote: Output<'quoteReturn'> }) => (
  <table class="steps">
    <caption>
      {quote.blockedBy === undefined ? t().nextRefund : `${t().laterRefund}: ${label('blocker', quote.blockedBy)}`}
    </caption>
    <tbody>
      {quote.steps.map((step, index) => (
        <tr key={index}>
          <th scope="row">{step.rule === 'goods' ? fieldText('goods') : stepText(step.rule)}</th>
          <td>{step.detail}</td>
          <td class="number">
            <Money of={step.amount} />
          </td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row" colSpan={2}>
          {t().total}
        </th>
        <td class="number">
          <strong>
            <Money of={quote.total} />
          </strong>
        </td>
      </tr>
    </tfoot>
  </table>
);

const stepText = (rule: string): string =>
  rule === 'shipping' || rule === 'charges' ? fieldText(rule) : codeText('type', rule);

/** What a refund of a return would pay now. */
export const NextRefund = () => {
  const { value } = useScreen();
  const quote = useCall(quoteReturn, { returnId: value.returnId });
  if (quote.problem !== undefined) return <p class="fine">{quote.problem.detail}</p>;
  if (quote.value === undefined) return <Loading />;
  if (quote.value.total.amount === 0 && value.refunds.length > 0) return <p class="fine">{t().noNextRefund}</p>;
  return <QuoteSteps quote={quote.value} />;
};

/** What one owes the other and why, and how much of it is booked, settled and due. */
const Obligations = () => (
  <ul class="plain">
    {useScreen().value.obligations?.map(({ cause, debtor, amount, booked, settled, due, dueBy }, index) => (
      <li key={index}>
        {codeText('cause', cause)}: <Money of={amount} /> {debtor === 'shop' ? t().shopOwes : t().recoveryDue}
        {[
          [fieldText('booked'), booked] as const,
          [fieldText('settled'), settled] as const,
          [t().due, due] as const,
        ].map(([name, of]) => of.amount > 0 && ` · ${name} ${formatMoney(of)}`)}
        {dueBy !== undefined && ` · ${fieldText('dueBy')} ${formatDay(dueBy)}`}
      </li>
    ))}
  </ul>
);

const Recoveries = () => {
  const { value } = useScreen();
  if (value.recoveries.length === 0) return null;
  return (
    <>
      <h3>{t().recoveries}</h3>
      <ul class="plain">
        {value.recoveries.map((recovery) => (
          <li key={recovery.id}>
            <Money of={recovery.amount} /> {codeText('type', recovery.type)} ·{' '}
            <time dateTime={recovery.at}>{recovery.at.slice(0, 10)}</time>
            {recovery.reference !== undefined && ` · ${recovery.reference}`}
            {recovery.reason !== undefined && ` · ${recovery.reason.replaceAll('_', ' ')}`}
          </li>
        ))}
      </ul>
    </>
  );
};

/** The money, step by step: what the goods are worth, the fees, the next refund, and what was paid. */
export const MoneySection = ({ decision }: { decision: Decision | undefined }) => {
  const { value } = useScreen();
  const isDecided = value.status !== 'requested' && value.status !== 'info_requested';
  return (
    <Section title={t().money}>
      <Obligations />
      <Fees decision={decision} />
      {isDecided && !isEnded(value) && <NextRefund key={value.version} />}
      <Refunds />
      <Recoveries />
    </Section>
  );
};
