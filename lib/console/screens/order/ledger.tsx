import type { Output } from '../../../contract/contract.ts';
import { Money, Section } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { t } from './texts.ts';

type LedgerLine = Output<'getReturnable'>['lines'][number];

type Segment = {
  readonly of: 'returnable' | 'held' | 'withdrawn' | 'refunded' | 'other' | 'notDelivered';
  readonly units: number;
};

/**
 * Divides the sold units of a line into parts that add up to them. A unit may be held and refunded at once, when the
 * shop refunded it outside: then the parts that come first count it.
 */
const segmentsOf = ({ quantity, fulfilled, held, refunded, withdrawn, returnable }: LedgerLine): readonly Segment[] => {
  let rest = quantity;
  const take = (of: Segment['of'], units: number): Segment => {
    const taken = Math.max(0, Math.min(rest, units));
    rest -= taken;
    return { of, units: taken };
  };
  const segments = [
    take('returnable', returnable),
    take('held', held),
    take('withdrawn', withdrawn),
    take('refunded', refunded),
    take('notDelivered', quantity - fulfilled),
  ];
  return [...segments, { of: 'other' as const, units: rest }].filter(({ units }) => units > 0);
};

type Order = Output<'getOrder'>;

const Bar = ({ segments }: { segments: readonly Segment[] }) => (
  <>
    {/* The list below has the same facts as text. */}
    <div class="order-bar" aria-hidden="true">
      {segments.map(({ of, units }) => (
        <span key={of} class={`order-${of}`} style={{ flexGrow: units }} />
      ))}
    </div>
    <ul class="order-legend">
      {segments.map(({ of, units }) => (
        <li key={of}>
          <span class={`order-swatch order-${of}`} aria-hidden="true" /> <strong>{units}</strong>{' '}
          {fill(t().ledger[of], { count: units })}
        </li>
      ))}
    </ul>
  </>
);

const Row = ({ line, order }: { line: LedgerLine; order: Order }) => {
  const fact = order.lines.find(({ lineId }) => lineId === line.lineId);
  return (
    <tr>
      <th scope="row" class="order-name">
        {fact?.title ?? line.sku ?? line.lineId}
        {line.sku !== undefined && fact?.title !== undefined && <div class="fine mono">{line.sku}</div>}
      </th>
      <td class="number">{line.quantity}</td>
      <td class="number">{fact !== undefined && <Money of={fact.unitPrice} />}</td>
      <td class="order-units">
        <Bar segments={segmentsOf(line)} />
        <div class="fine">
          {fill(t().ledger.fulfilled, { count: line.fulfilled })}
          {line.returnable === 0 && ` · ${t().ledger.noMore}`}
        </div>
      </td>
    </tr>
  );
};

/** What happened to the units of each line, over all returns. */
export const Ledger = ({ returnable, order }: { returnable: Output<'getReturnable'>; order: Order }) => {
  const text = t().ledger;
  return (
    <Section title={fieldText('lines')}>
      <p class="fine">{text.about}</p>
      <TableWrap label={fieldText('lines')} isStacked>
        <Columns names={[fieldText('lineId'), `#${text.sold}`, `#${text.price}`, common().quantity]} />
        <tbody>
          {returnable.lines.map((line) => (
            <Row key={line.lineId} line={line} order={order} />
          ))}
        </tbody>
      </TableWrap>
    </Section>
  );
};
