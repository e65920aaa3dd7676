import { useEffect, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getOrder, matchWithdrawal } from '../../../contract/operations.ts';
import { useAnswer, useCall } from '../../api/use-call.ts';
import { orderHref } from '../../app/router.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Badge, Empty, Facts } from '../../components/basics.tsx';
import { CheckField, Labelled } from '../../components/fields.tsx';
import { OrderTable } from '../../components/order-table.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { agreementOf, findCandidates } from './candidates.ts';
import type { WithdrawalDialogProps } from './dialog-props.ts';
import { AnswerFacts, EffectLists } from './effects.tsx';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Order = Output<'getOrder'>;
type OrderRef = { readonly platform: string; readonly orderId: string };
type Quantities = Readonly<Record<string, number>>;

const refOf = ({ platform, orderId }: OrderRef): OrderRef => ({ platform, orderId });

/** One field for the order: its number, or the address or name of the customer. Enter searches, and sends nothing. */
const OrderSearch = ({ onSearch }: { onSearch: (text: string) => void }) => {
  const [text, setText] = useState('');
  return (
    <Labelled label={t().match.search}>
      {(props) => (
        <div class="row">
          <input
            {...props}
            type="search"
            autocomplete="off"
            spellcheck={false}
            maxLength={320}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              onSearch(text.trim());
            }}
          />
          <button type="button" onClick={() => onSearch(text.trim())}>
            {common().search}
          </button>
        </div>
      )}
    </Labelled>
  );
};

const LineTable = ({
  order,
  quantities,
  onChange,
}: {
  order: Order;
  quantities: Quantities;
  onChange: (lineId: string, quantity: number) => void;
}) => (
  <TableWrap label={t().match.meant}>
    <Columns names={[fieldText('lineId'), t().match.goods, `#${t().match.sold}`, t().match.meant]} />
    <tbody>
      {order.lines.map(({ lineId, sku, title, quantity }) => (
        <tr key={lineId}>
          <td>{lineId}</td>
          <td class="wrap">{title ?? sku}</td>
          <td class="number">{quantity}</td>
          <td>
            <input
              type="number"
              min={0}
              max={quantity}
              value={quantities[lineId] ?? 0}
              aria-label={`${t().match.meant}: ${title ?? sku ?? lineId}`}
              onInput={(event) => onChange(lineId, event.currentTarget.valueAsNumber || 0)}
            />
          </td>
        </tr>
      ))}
    </tbody>
  </TableWrap>
);

/** Matches a declaration to an order: offers those that agree with it, and shows the effect. */
export const MatchDialog = ({ of, value, onDone, onClose }: WithdrawalDialogProps) => {
  const { withdrawalId, match, declaration } = value;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<OrderRef | undefined>(match?.order);
  const [isWhole, setWhole] = useState(
    match === undefined ? declaration?.lines === undefined : match.lines === undefined,
  );
  const [quantities, setQuantities] = useState<Quantities>(
    Object.fromEntries((match?.lines ?? []).map(({ orderLineId, quantity }) => [orderLineId, quantity])),
  );
  const candidates = useAnswer(`orders ${text}`, async (signal) => findCandidates(declaration, text, signal));
  const [best] = candidates.value ?? [];
  // What agrees twice is probably meant. A number alone, or a name alone, is chosen by the person.
  useEffect(() => {
    if (chosen !== undefined || best === undefined || declaration === undefined) return;
    if (agreementOf(best, declaration).length > 1) setChosen(refOf(best));
  }, [best]);
  const order = useCall(getOrder, isWhole ? undefined : chosen);
  const lines = Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .map(([orderLineId, quantity]) => ({ orderLineId, quantity }));
  const isComplete = isWhole || lines.length > 0;
  const texts = t();
  return (
    <ActionDialog
      title={texts.act.match}
      operation={matchWithdrawal}
      input={
        chosen !== undefined && isComplete ? { withdrawalId, order: chosen, ...(!isWhole && { lines }) } : undefined
      }
      target={of}
      sendLabel={texts.act.match}
      isWide
      effect={(output) => (
        <>
          <p>{fill(texts.match.would, { status: texts.status[output.status] })}</p>
          <EffectLists value={output} />
          {output.answer !== undefined && <AnswerFacts answer={output.answer} />}
        </>
      )}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.match.text}</p>
      <Facts
        rows={[
          [common().name, declaration?.name],
          [common().email, declaration?.email],
          [texts.contract, declaration?.contract],
          [texts.lines, declaration?.lines],
        ]}
      />
      <OrderSearch onSearch={setText} />
      <Resource of={candidates}>
        {(orders) =>
          orders.length === 0 ? (
            <Empty>{texts.match.none}</Empty>
          ) : (
            <OrderTable
              orders={orders}
              label={texts.act.match}
              choice={{
                name: '',
                cell: (candidate) => (
                  <input
                    type="radio"
                    name="order"
                    checked={chosen !== undefined && orderHref(chosen) === orderHref(candidate)}
                    aria-label={fill(texts.match.choose, { number: candidate.number ?? candidate.orderId })}
                    onChange={() => {
                      setChosen(refOf(candidate));
                      setQuantities({});
                    }}
                  />
                ),
              }}
              last={{
                name: texts.match.agreement,
                cell: (candidate) =>
                  declaration !== undefined &&
                  agreementOf(candidate, declaration).map((field) => (
                    <Badge key={field} tone="good">
                      {field === 'number' ? texts.match.number : common()[field]}
                    </Badge>
                  )),
              }}
            />
          )
        }
      </Resource>
      <CheckField label={texts.match.whole} checked={isWhole} onChange={setWhole} />
      {!isWhole && order.value !== undefined && (
        <LineTable
          order={order.value}
          quantities={quantities}
          onChange={(lineId, quantity) => setQuantities((before) => ({ ...before, [lineId]: quantity }))}
        />
      )}
    </ActionDialog>
  );
};
