import type { Output } from '../../../contract/contract.ts';
import { Badge, type Tone } from '../../components/basics.tsx';
import { fill } from '../../texts/fill.ts';
import { formatNumber } from '../../texts/format.ts';
import { wordOf } from '../../texts/word.ts';
import { t } from './texts.ts';

type Attempt = Output<'getWebhookDelivery'>['attempts'][number];
type Status = Output<'getWebhookDelivery'>['status'];

const tones: Readonly<Record<Status, Tone>> = { delivered: 'good', retrying: 'warning', failed: 'bad' };

export const EventStatus = ({ status }: { status: Status }) => <Badge tone={tones[status]}>{t().status[status]}</Badge>;

export const EndpointState = ({ enabled }: { enabled: boolean }) => (
  <Badge tone={enabled ? 'good' : 'warning'}>{enabled ? t().enabled : t().disabled}</Badge>
);

/** What came of an attempt: a status of HTTP, or the code of an error. */
export const resultOf = ({ status, error }: Attempt): string =>
  status === undefined ? wordOf(t().errors, error ?? '–') : `HTTP ${status}`;

export const durationOf = ({ ms }: Attempt): string => fill(t().ms, { count: formatNumber(ms) });
