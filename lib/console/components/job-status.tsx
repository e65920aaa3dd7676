import type { Output } from '../../contract/contract.ts';
import { Badge, type Tone } from './basics.tsx';
import { t } from './texts.ts';

type Status = Output<'getJob'>['status'];

const tones: Readonly<Record<Status, Tone>> = {
  queued: 'neutral',
  running: 'active',
  done: 'good',
  cancelled: 'neutral',
  failed: 'bad',
};

/** The status of a job. */
export const JobStatusBadge = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{t().jobStatus[status]}</Badge>
);

/** Returns the statuses of jobs with their words. */
export const jobStatuses = (): [string, string][] => Object.entries(t().jobStatus);
