import type { Output } from '../../../contract/contract.ts';
import { hrefOf, orderHref } from '../../app/router.ts';
import { Empty, Facts, Section, Time } from '../../components/basics.tsx';
import { CheckedLink } from '../../components/checked-link.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { common } from '../../texts/common.ts';
import { wordOf } from '../../texts/word.ts';
import { RefundStatus } from './badges.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Withdrawal = Output<'getWithdrawal'>;
type Units = NonNullable<Withdrawal['cancelled']>;

/** Whether the match holds units or made a return. It is then final. */
export const hasEffect = ({ cancelled, returns }: Withdrawal): boolean =>
  (cancelled?.length ?? 0) > 0 || (returns?.length ?? 0) > 0;

const sentenceOf = (units: Units): string =>
  units.map(({ orderLineId, quantity }) => `${quantity} × ${orderLineId}`).join(', ');

const UnitTable = ({ title, hint, units }: { title: string; hint: string; units: Units }) => (
  <div>
    <h3>{title}</h3>
    <p class="fine">{hint}</p>
    <TableWrap label={title}>
      <Columns names={[fieldText('lineId'), `#${common().quantity}`]} />
      <tbody>
        {units.map(({ orderLineId, quantity }) => (
          <tr key={orderLineId}>
            <td>{orderLineId}</td>
            <td class="number">{quantity}</td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  </div>
);

const Denied = ({ lines }: { lines: NonNullable<NonNullable<Withdrawal['match']>['denied']> }) => (
  <div>
    <h3>{t().denied}</h3>
    <TableWrap label={t().denied}>
      <Columns
        names={[fieldText('lineId'), `#${common().quantity}`, common().rule, t().law, t().ruleSource, t().until]}
      />
      <tbody>
        {lines.map(({ orderLineId, quantity, rule, law, source, until }) => (
          <tr key={`${orderLineId} ${rule}`}>
            <td>{orderLineId}</td>
            <td class="number">{quantity}</td>
            <td>{wordOf(t().rules, rule)}</td>
            <td>{law}</td>
            <td class="wrap">
              <CheckedLink url={source} />
            </td>
            <td>{until !== undefined && <Time at={until} />}</td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  </div>
);

const HeldRefund = ({ refund: { status, dueBy, paidAt } }: { refund: NonNullable<Withdrawal['refund']> }) => (
  <Facts
    rows={[
      [common().refund, <RefundStatus key="status" status={status} />],
      [t().payUntil, <Time key="due" at={dueBy} />],
      [common().paid, paidAt && <Time key="paid" at={paidAt} />],
    ]}
  />
);

const Returns = ({ of }: { of: NonNullable<Withdrawal['returns']> }) => (
  <div>
    <h3>{t().returnsMade}</h3>
    <ul class="plain-list">
      {of.map(({ returnId, lines, shippedAnyway }) => (
        <li key={returnId}>
          <a class="mono" href={hrefOf(`/returns/${returnId}`)}>
            {returnId}
          </a>{' '}
          <span class="fine">{sentenceOf(lines)}</span>
          {shippedAnyway === true && <p class="fine">{t().shippedAnyway}</p>}
        </li>
      ))}
    </ul>
  </div>
);

/** What a match leads to. A dry run shows it too. */
export const EffectLists = ({ value }: { value: Withdrawal }) => {
  const { match, cancelled = [], refund, returns = [] } = value;
  const { denied = [], undecided = [] } = match ?? {};
  return (
    <div class="stack">
      {returns.length > 0 && <Returns of={returns} />}
      {cancelled.length > 0 && <UnitTable title={t().cancelled} hint={t().cancelledHint} units={cancelled} />}
      {refund !== undefined && <HeldRefund refund={refund} />}
      {undecided.length > 0 && <UnitTable title={t().undecided} hint={t().undecidedHint} units={undecided} />}
      {denied.length > 0 && <Denied lines={denied} />}
    </div>
  );
};

/** The answer of a declaration, with the rule and its source. */
export const AnswerFacts = ({ answer }: { answer: NonNullable<Withdrawal['answer']> }) => (
  <Facts
    rows={[
      [t().answerTitle, t().noRight],
      [common().rule, wordOf(t().rules, answer.rule)],
      [t().law, answer.law],
      [t().ruleSource, <CheckedLink key="source" url={answer.source} />],
      [fieldText('note'), answer.note],
      [fieldText('at'), <Time key="at" at={answer.at} />],
    ]}
  />
);

/** The order of a declaration, and what the match led to. */
export const Effects = ({ value }: { value: Withdrawal }) => {
  const { match, answer, withdrawn } = value;
  const texts = t();
  return (
    <Section title={common().effect}>
      <div class="stack">
        {match === undefined && withdrawn === undefined && <Empty>{texts.noEffect}</Empty>}
        {match !== undefined && (
          <Facts
            rows={[
              [
                texts.matchedTo,
                <a key="order" href={orderHref(match.order)}>
                  {match.order.platform} {match.order.orderId}
                </a>,
              ],
              [texts.matchedLines, match.lines === undefined ? texts.allLines : sentenceOf(match.lines)],
              [fieldText('at'), <Time key="at" at={match.at} />],
            ]}
          />
        )}
        <EffectLists value={value} />
        {answer !== undefined && <AnswerFacts answer={answer} />}
        {withdrawn !== undefined && (
          <Facts
            rows={[
              [texts.status.withdrawn, texts.mistake],
              [fieldText('at'), <Time key="at" at={withdrawn.at} />],
            ]}
          />
        )}
      </div>
    </Section>
  );
};
