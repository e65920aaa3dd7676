import type { Output } from '../../contract/contract.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { formatMoney } from '../texts/format.ts';
import { label } from '../texts/labels.ts';
import { Badge, type Tone } from './basics.tsx';

type Status = Output<'getReturn'>['status'];
type Lines = Pick<Output<'getReturn'>, 'lines'>;
type RefundStatus = Output<'getReturn'>['refundStatus'];

const statusTones: Readonly<Record<Status, Tone>> = {
  requested: 'warning',
  info_requested: 'neutral',
  approved: 'active',
  in_transit: 'active',
  partially_received: 'active',
  received: 'warning',
  inspected: 'warning',
  completed: 'good',
  rejected: 'neutral',
  cancelled: 'neutral',
  expired: 'neutral',
};

const refundTones: Readonly<Record<RefundStatus, Tone>> = {
  none: 'neutral',
  due: 'warning',
  pending: 'active',
  partially_refunded: 'active',
  refunded: 'good',
  failed: 'bad',
  unknown: 'bad',
  recovery_due: 'bad',
};

/** The status of the goods. */
export const StatusBadge = ({ status }: { status: Status }) => (
  <Badge tone={statusTones[status]}>{label('status', status)}</Badge>
);

/** The status of the money. */
export const RefundBadge = ({ status }: { status: RefundStatus }) => (
  <Badge tone={refundTones[status]}>{label('refund', status)}</Badge>
);

const sumOf = ({ lines }: Lines, name: 'maxRefundable' | 'refunded'): string =>
  formatMoney({
    amount: lines.reduce((sum, { amounts }) => sum + amounts[name].amount, 0),
    currency: lines[0]?.amounts[name].currency ?? 'XXX',
  });

/** How much refunds gave for the goods, and how much they may give in all. */
export const refundedText = (of: Lines): string =>
  fill(common().refunded, { amount: sumOf(of, 'refunded'), most: sumOf(of, 'maxRefundable') });
