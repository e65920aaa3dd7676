import { formatDay } from '../../texts/format.ts';
import { lineTitle } from '../../forms/return-form.ts';
import { customerText } from './head.tsx';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

/** The return on paper, for the parcel. The screen does not show it. */
export const Slip = () => {
  const { value, titles, reasons } = useScreen();
  return (
    <div class="slip" aria-hidden="true">
      <p class="slip-title">{t().slip}</p>
      <p class="slip-rma">{value.rmaNumber}</p>
      <p>
        {t().order} {value.order.number ?? value.order.orderId} · {formatDay(value.requestedAt)}
        {value.customer !== undefined && ` · ${customerText(value)}`}
      </p>
      <table>
        <thead>
          <tr>
            <th class="number">{t().units}</th>
            <th>{t().line}</th>
            <th>{t().reason}</th>
          </tr>
        </thead>
        <tbody>
          {value.lines.map((line) => (
            <tr key={line.lineId}>
              <td class="number">{line.quantities.requested - line.quantities.rejected - line.quantities.cancelled}</td>
              <td>
                {lineTitle(line, titles)} {line.sku}
              </td>
              <td>{reasons[line.reason.code] ?? line.reason.code}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t().slipHelp}</p>
    </div>
  );
};
