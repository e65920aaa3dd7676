import { lost, outstanding, refused, undecided, uninspected } from '../../api/line-units.ts';
import type { Action, CommandName, Return } from './commands.ts';

/* The entries that the forms begin with: those of the usual case. */

type Fields = Readonly<Record<string, unknown>>;
type Line = Return['lines'][number];

const linesWith = (of: Return, units: (line: Line) => number, more: Fields = {}): readonly Fields[] =>
  of.lines.flatMap((line) => (units(line) > 0 ? [{ lineId: line.lineId, quantity: units(line), ...more }] : []));

/** Leaves out a list without entries: the form then offers to add it. */
const filled = (name: string, list: readonly Fields[]): Fields => (list.length === 0 ? {} : { [name]: list });

/** The one parcel that a receipt can be about. With several, a person chooses. */
const arrivingParcel = ({ parcels }: Return): Fields => {
  const expected = parcels.filter(
    ({ direction, status, contents }) =>
      direction === 'inbound' && status !== 'lost' && status !== 'cancelled' && contents.length > 0,
  );
  const [only] = expected;
  return only === undefined || expected.length > 1 ? {} : { parcelId: only.parcelId };
};

const undisposed = ({ unexpected }: Return): readonly Fields[] =>
  unexpected.filter(({ disposition }) => disposition === undefined).map(({ id }) => ({ id }));

const exchangedLine = ({ lines }: Return): Fields => {
  const line = lines.find(({ resolution }) => resolution === 'exchange') ?? lines[0];
  if (line === undefined) return {};
  const { requested, rejected, cancelled, exchanged, refunded } = line.quantities;
  const quantity = Math.max(1, requested - rejected - cancelled - exchanged - refunded);
  return { lineId: line.lineId, quantity, newItem: { ...(line.sku !== undefined && { sku: line.sku }), quantity } };
};

/** A part of the money for the goods, when the payments of the order have less left than the goods are worth. */
const partialRefund = ({ lines, paymentsLeft }: Return): Fields => {
  const open = lines.reduce((sum, { amounts }) => sum + amounts.maxRefundable.amount - amounts.refunded.amount, 0);
  return paymentsLeft && paymentsLeft.amount < open ? { amount: paymentsLeft } : {};
};

const byCommand: Readonly<Partial<Record<CommandName, (of: Return, action?: Action) => Fields>>> = {
  // Every line stands in the list exactly once. Units without an approval are rejected.
  approve: ({ lines }) => ({ lines: lines.map((line) => ({ lineId: line.lineId, quantity: undecided(line) })) }),
  receive: (of) => ({ ...arrivingParcel(of), ...filled('lines', linesWith(of, outstanding)) }),
  closeReceipt: (of) => filled('lines', linesWith(of, outstanding)),
  inspect: (of) => ({
    ...filled('lines', linesWith(of, uninspected, { outcome: 'accept' })),
    ...filled('unexpected', undisposed(of)),
  }),
  cancel: (of) =>
    filled(
      'lines',
      linesWith(of, (line) => undecided(line) + outstanding(line)),
    ),
  grant: (of) => ({
    lines: [...linesWith(of, lost, { of: 'missing' }), ...linesWith(of, refused, { of: 'refused' })],
  }),
  exchange: exchangedLine,
  refund: partialRefund,
  compensate: ({ lines }) => ({ type: 'price_reduction', lineId: lines[0]?.lineId }),
  complete: (_, action) => (action?.overrides?.includes('unsettled') === true ? { waive: {} } : {}),
  recordRecovery: ({ recoveryDue }) => ({ amount: recoveryDue }),
  updateReturn: ({ tags, metadata, externalRefs }) => ({ tags, metadata, externalRefs }),
};

/** Returns the entries that the form of a command on the whole return begins with. */
export const prefillOf = (name: CommandName, of: Return, action?: Action): Fields =>
  byCommand[name]?.(of, action) ?? {};

const parcelFields = ['carrier', 'trackingNumber', 'trackingUrl', 'labelUrl', 'status', 'contents'] as const;

/** The fields of a parcel that a person can change. */
export const prefillOfParcel = (parcel: Return['parcels'][number]): Fields =>
  Object.fromEntries(parcelFields.flatMap((name) => (parcel[name] === undefined ? [] : [[name, parcel[name]]])));

type RefundStatus = Return['refunds'][number]['status'];

/** The results that may follow the status of a refund, the usual one first. */
export const refundResults: Readonly<Record<RefundStatus, readonly string[]>> = {
  pending: ['succeeded', 'submitted', 'failed', 'unknown', 'cancelled'],
  submitted: ['succeeded', 'failed', 'unknown'],
  unknown: ['succeeded', 'failed'],
  failed: ['submitted', 'cancelled'],
  succeeded: ['reversed'],
  reversed: [],
  cancelled: [],
};

/** The results that may follow the status of an exchange, the usual one first. */
export const exchangeResults: Readonly<Record<Return['exchanges'][number]['status'], readonly string[]>> = {
  requested: ['ordered', 'cancelled'],
  ordered: ['fulfilled', 'cancelled'],
  fulfilled: [],
  cancelled: [],
};
