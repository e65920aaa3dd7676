import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getOrder, matchWithdrawal } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Badge } from '../../components/basics.tsx';
import { CheckField, TextField } from '../../components/fields.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import type { WithdrawalDialogProps } from './dialog-props.ts';
import { AnswerFacts, EffectLists } from './effects.tsx';
import { t } from './texts.ts';

type Order = Output<'getOrder'>;
type Declaration = Output<'getWithdrawal'>['declaration'];
type Quantities = Readonly<Record<string, number>>;

/** Case, width, white space and the sign of a number do not count. */
const plain = (text: string): string =>
  text.normalize('NFKC').trim().replace(/^#/, '').replaceAll(/\s+/g, ' ').toLowerCase();

/** The words of the consumer, if they can be an id. */
const orderIdIn = (declaration: Declaration): string => {
  const contract = declaration?.contract.trim() ?? '';
  return /\s/.test(contract) ? '' : contract.replace(/^#/, '');
};

const Comparison = ({ name, declared, inOrder }: { name: string; declared: string; inOrder: string | undefined }) => {
  const isSame = inOrder !== undefined && plain(declared) === plain(inOrder);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="wrap">{declared}</td>
      <td class="wrap">{inOrder ?? '–'}</td>
      <td>
        <Badge tone={isSame ? 'good' : 'warning'}>{isSame ? t().match.same : t().match.differs}</Badge>
      </td>
    </tr>
  );
};

const OrderCheck = ({ order, declaration }: { order: Order; declaration: Declaration }) => (
  <>
    <h3>{fill(t().match.found, { number: order.number ?? order.orderId })}</h3>
    {declaration !== undefined && (
      <TableWrap label={fill(t().match.found, { number: order.orderId })}>
        <Columns names={['', t().match.declared, t().match.inOrder, common().status]} />
        <tbody>
          <Comparison name={common().name} declared={declaration.name} inOrder={order.customer?.name} />
          <Comparison name={t().email} declared={declaration.email} inOrder={order.customer?.email} />
          <Comparison name={t().contract} declared={declaration.contract} inOrder={order.number} />
        </tbody>
      </TableWrap>
    )}
  </>
);

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
    <Columns names={[common().line, t().match.goods, `#${t().match.sold}`, t().match.meant]} />
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

/** Matches a declaration to an order: looks the order up, compares the person, and shows the effect. */
export const MatchDialog = ({ of, value, onDone, onClose }: WithdrawalDialogProps) => {
  const { withdrawalId, match, declaration } = value;
  const [platform, setPlatform] = useState(match?.order.platform ?? value.platform ?? '');
  const [orderId, setOrderId] = useState(match?.order.orderId ?? orderIdIn(declaration));
  const [isWhole, setWhole] = useState(
    match === undefined ? declaration?.lines === undefined : match.lines === undefined,
  );
  const [quantities, setQuantities] = useState<Quantities>(
    Object.fromEntries((match?.lines ?? []).map(({ orderLineId, quantity }) => [orderLineId, quantity])),
  );
  const [reference, setReference] = useState<{ platform: string; orderId: string } | undefined>();
  const order = useCall(getOrder, reference);
  const lines = Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .map(([orderLineId, quantity]) => ({ orderLineId, quantity }));
  const isComplete = platform !== '' && orderId !== '' && (isWhole || lines.length > 0);
  const input = { withdrawalId, order: { platform, orderId }, ...(!isWhole && { lines }) };
  const texts = t();
  return (
    <ActionDialog
      title={texts.act.match}
      operation={matchWithdrawal}
      input={isComplete ? input : undefined}
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
      {declaration?.lines !== undefined && (
        <p>
          <strong>{texts.lines}:</strong> {declaration.lines}
        </p>
      )}
      <div class="filter-bar">
        <TextField label={common().platform} value={platform} onChange={setPlatform} required />
        <TextField
          label={texts.match.orderId}
          hint={texts.match.orderHint}
          value={orderId}
          onChange={setOrderId}
          required
        />
      </div>
      <p>
        <button
          type="button"
          disabled={platform === '' || orderId === ''}
          onClick={() => setReference({ platform, orderId })}
        >
          {texts.match.look}
        </button>
      </p>
      {reference !== undefined && (
        <Resource of={order}>{(found) => <OrderCheck order={found} declaration={declaration} />}</Resource>
      )}
      <CheckField label={texts.match.whole} checked={isWhole} onChange={setWhole} />
      {!isWhole && order.value === undefined && <p class="fine">{texts.match.look}.</p>}
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
