import { type Cell, csvRow } from '../../contract/jobs/csv-row.ts';
import type { Line, Return } from '../../domain/returns/model/return.ts';
import { refundStatus } from '../../domain/returns/money/refund-status.ts';

/* Lines of returns as CSV for spreadsheets. */

/**
 * The columns and their values for a line and its return.
 * The order of the columns never changes: new columns are appended.
 */
const columns: readonly (readonly [string, (state: Return, line: Line, erased: number | undefined) => Cell])[] = [
  ['returnId', ({ id }) => id],
  ['rmaNumber', ({ rmaNumber }) => rmaNumber],
  ['status', ({ status }) => status],
  ['version', ({ version }) => version],
  ['platform', ({ order }) => order.platform],
  ['orderId', ({ order }) => order.orderId],
  ['orderNumber', ({ order }) => order.number],
  ['customerId', ({ customer }) => customer.id],
  ['managedBy', ({ managedBy }) => managedBy],
  ['channel', ({ channel }) => channel],
  ['initiatedBy', ({ initiatedBy }) => initiatedBy],
  ['basis', ({ basis }) => basis],
  ['isGift', ({ isGift }) => isGift],
  ['refundStatus', (state) => refundStatus(state)],
  ['requestedAt', ({ requestedAt }) => requestedAt],
  ['createdAt', ({ createdAt }) => createdAt],
  ['updatedAt', ({ updatedAt }) => updatedAt],
  ['lineId', (_, { id }) => id],
  ['orderLineId', (_, { orderLineId }) => orderLineId],
  ['sku', (_, { sku }) => sku],
  ['reason', (_, { reason }) => reason.code],
  ['resolution', (_, { resolution }) => resolution],
  ['condition', (_, { condition }) => condition],
  ['requested', (_, { quantities }) => quantities.requested],
  ['approved', (_, { quantities }) => quantities.approved],
  ['rejected', (_, { quantities }) => quantities.rejected],
  ['cancelled', (_, { quantities }) => quantities.cancelled],
  ['returnless', (_, { quantities }) => quantities.returnless],
  ['received', (_, { quantities }) => quantities.received],
  ['missing', (_, { quantities }) => quantities.missing],
  ['accepted', (_, { quantities }) => quantities.accepted],
  ['refused', (_, { quantities }) => quantities.refused],
  ['granted', (_, { quantities }) => quantities.granted],
  ['refunded', (_, { quantities }) => quantities.refunded],
  ['exchanged', (_, { quantities }) => quantities.exchanged],
  ['currency', (_, { amounts }) => amounts.gross.currency],
  ['gross', (_, { amounts }) => amounts.gross.amount],
  ['tax', (_, { amounts }) => amounts.tax.amount],
  ['net', (_, { amounts }) => amounts.net.amount],
  ['maxRefundable', (_, { amounts }) => amounts.maxRefundable.amount],
  ['refundedAmount', (_, { amounts }) => amounts.refunded.amount],
  ['tags', ({ tags }) => tags.join(' ')],
  ['textsErasedThrough', (_, __, erased) => erased],
];

/** The first row of each file. */
export const csvHeader: string = csvRow(columns.map(([name]) => name));

/**
 * Returns a row for each line of a return.
 *
 * @param erased the version of the return up to which its texts are erased
 */
export const csvRows = (state: Return, erased?: number): readonly string[] =>
  state.lines.map((line) => csvRow(columns.map(([, read]) => read(state, line, erased))));
