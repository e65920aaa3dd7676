import type { Output } from '../../contract/contract.ts';
import { label } from '../texts/labels.ts';
import { Badge, type Tone } from './basics.tsx';

type Status = Output<'getReturn'>['status'];
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
