import { Columns, TableWrap } from '../../../components/page-table.tsx';
import type { Output } from '../../../../contract/contract.ts';
import { common } from '../../../texts/common.ts';
import { formatMoney } from '../../../texts/format.ts';
import { t } from './texts.ts';

export type Moved = Extract<Output<'getJob'>, { kind: 'backtest' }>['report']['money'][number];

const barHeight = 18;
const rowHeight = 56;
const width = 600;
const middle = width / 2;

/**
 * The longest bar of each currency fills its half. Amounts of two currencies have no common scale, so each row has its
 * own.
 */
const Row = ({ of: { currency, up, down }, top }: { of: Moved; top: number }) => {
  const most = Math.max(up, down, 1);
  const length = (amount: number) => (amount / most) * (middle - 4);
  return (
    <g transform={`translate(0 ${top})`}>
      <text x={middle} y={14} text-anchor="middle" class="chart-name">
        {currency}
      </text>
      <rect class="bar-down" x={middle - length(down)} y={20} width={length(down)} height={barHeight} />
      <rect class="bar-up" x={middle} y={20} width={length(up)} height={barHeight} />
      <text x={4} y={14}>
        − {formatMoney({ amount: down, currency })}
      </text>
      <text x={width - 4} y={14} text-anchor="end">
        + {formatMoney({ amount: up, currency })}
      </text>
    </g>
  );
};

const Chart = ({ money }: { money: readonly Moved[] }) => {
  const height = money.length * rowHeight;
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t().chart}>
      {money.map((moved, index) => (
        <Row key={moved.currency} of={moved} top={index * rowHeight} />
      ))}
      <line class="chart-axis" x1={middle} x2={middle} y1={18} y2={height - 12} />
    </svg>
  );
};

/** More and less refund by currency: a chart, and its table. */
export const MoneyMoved = ({ money }: { money: readonly Moved[] }) => {
  const words = t();
  if (money.length === 0) return <p class="empty">{words.noMoney}</p>;
  return (
    <>
      <Chart money={money} />
      <TableWrap label={words.money}>
        <Columns names={[common().currency, `#${words.up}`, `#${words.down}`, `#${words.net}`]} />
        <tbody>
          {money.map(({ currency, up, down }) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              <td class="number">{formatMoney({ amount: up, currency })}</td>
              <td class="number">{formatMoney({ amount: down === 0 ? 0 : -down, currency })}</td>
              <td class="number">{formatMoney({ amount: up - down, currency })}</td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    </>
  );
};
