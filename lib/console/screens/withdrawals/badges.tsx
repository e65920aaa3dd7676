import type { Output } from '../../../contract/contract.ts';
import { Badge, type Tone } from '../../components/basics.tsx';
import { t } from './texts.ts';

type Withdrawal = Output<'getWithdrawal'>;

const tones: Readonly<Record<Withdrawal['status'], Tone>> = {
  declared: 'warning',
  matched: 'active',
  answered: 'good',
  withdrawn: 'neutral',
};

export const WithdrawalStatus = ({ status }: { status: Withdrawal['status'] }) => (
  <Badge tone={tones[status]}>{t().status[status]}</Badge>
);

type Refund = NonNullable<Withdrawal['refund']>;

const refundTones: Readonly<Record<Refund['status'], Tone>> = { due: 'warning', overdue: 'bad', paid: 'good' };

export const RefundStatus = ({ status }: { status: Refund['status'] }) => (
  <Badge tone={refundTones[status]}>{t().refund[status]}</Badge>
);

export const ReceiptStatus = ({ status }: { status: Withdrawal['receipt']['status'] }) => (
  <Badge tone={status === 'due' ? 'warning' : 'good'}>{t().receipt[status]}</Badge>
);
