import type { Output } from '../../../contract/contract.ts';
import { foldReference } from '../../../contract/fold-reference.ts';
import { outstanding } from '../../api/line-units.ts';
import type { CountableLine } from './counting.ts';

export type Return = Output<'getReturn'>;
export type Line = Return['lines'][number];
export type Order = Output<'getOrder'>;

/** Returns the units of a line that a receipt takes: also missing units, which may arrive late. */
const receivable = (line: Line): number => outstanding(line) + line.quantities.missing;

const orderLine = (line: Line, order: Order | undefined) =>
  order?.lines.find(({ lineId }) => lineId === line.orderLineId);

/** Returns the name of the goods, or what else is known of them. */
export const nameOf = (line: Line, order: Order | undefined): string =>
  orderLine(line, order)?.title ?? line.sku ?? line.orderLineId;

/** Returns the lines of a return as a scan counts them. */
export const countableLines = (value: Return, order: Order | undefined): readonly CountableLine[] =>
  value.lines.map((line) => {
    const product = orderLine(line, order)?.productId;
    return {
      lineId: line.lineId,
      codes: [...(line.sku === undefined ? [] : [line.sku]), ...(product === undefined ? [] : [product])],
      open: receivable(line),
    };
  });

/** Whether two numbers are the same for a search: case and white space do not count. */
export const isSameNumber = (number: string | undefined, code: string | undefined): boolean =>
  number !== undefined && code !== undefined && foldReference(number) === foldReference(code);

/** Whether a code is a number of the return itself or of one of its parcels. */
export const isNumberOf = ({ rmaNumber, returnId, parcels }: Return, code: string): boolean =>
  [rmaNumber, returnId, ...parcels.map(({ trackingNumber }) => trackingNumber)].some((number) =>
    isSameNumber(number, code),
  );

/** Returns the parcels that may arrive. */
export const openParcels = ({ parcels }: Return): Return['parcels'] =>
  parcels.filter(
    ({ direction, status }) => direction === 'inbound' && status !== 'delivered' && status !== 'cancelled',
  );
