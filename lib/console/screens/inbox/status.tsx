import type { Output } from '../../../contract/contract.ts';
import { Badge, type Tone } from '../../components/basics.tsx';
import { t } from './texts.ts';

type Status = Output<'getInboxDelivery'>['status'];

const tones: Readonly<Record<Status, Tone>> = {
  received: 'active',
  done: 'good',
  ignored: 'neutral',
  parked: 'warning',
  failed: 'bad',
};

/** The state of processing of a delivery. */
export const DeliveryStatus = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{t().status[status]}</Badge>
);
