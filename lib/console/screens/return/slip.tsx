import { useLoaded } from '../../components/lazy.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { lineTitle } from '../../forms/return-form.ts';
import { common } from '../../texts/common.ts';
import { formatDay } from '../../texts/format.ts';
import { useScreen } from './context.ts';
import { customerText } from './head.tsx';
import { t } from './texts.ts';

/** Loads the codes behind the page, since few returns are printed. Without them the slip has the number alone. */
const loadCodes = async () => {
  try {
    return (await import('./slip-codes.tsx')).SlipCodes;
  } catch {
    return undefined;
  }
};

/** The return on paper, for the parcel. The station scans its codes. The screen does not show it. */
export const Slip = () => {
  const { value, titles, reasons } = useScreen();
  const { rmaNumber, order, deadlines } = value;
  const Codes = useLoaded('slip-codes', loadCodes);
  return (
    <div class="slip" aria-hidden="true">
      <p class="slip-title">{t().slip}</p>
      <p class="slip-rma">{rmaNumber}</p>
      {Codes !== undefined && <Codes text={rmaNumber} />}
      <p>
        {common().order} {order.number ?? order.orderId} · {formatDay(value.requestedAt)}
        {value.customer !== undefined && ` · ${customerText(value)}`}
      </p>
      {deadlines.shipBy !== undefined && (
        <p>
          {fieldText('shipBy')}: {formatDay(deadlines.shipBy)}
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th class="number">{fieldText('quantities')}</th>
            <th>{fieldText('lineId')}</th>
            <th>{fieldText('reason')}</th>
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
