import type { Output } from '../../contract/contract.ts';
import { texts } from '../texts/language.ts';
import { Badge, type Tone } from './basics.tsx';

type Status = Output<'getJob'>['status'];

const t = texts(
  { queued: 'Queued', running: 'Running', done: 'Done', cancelled: 'Cancelled', failed: 'Failed' },
  { queued: 'Em fila', running: 'Em curso', done: 'Concluída', cancelled: 'Cancelada', failed: 'Falhada' },
  { queued: 'Na fila', running: 'Em andamento', failed: 'Com falha' },
);

const tones: Readonly<Record<Status, Tone>> = {
  queued: 'neutral',
  running: 'active',
  done: 'good',
  cancelled: 'neutral',
  failed: 'bad',
};

/** The status of a job. */
export const JobStatusBadge = ({ status }: { status: Status }) => <Badge tone={tones[status]}>{t()[status]}</Badge>;

/** Returns the statuses of jobs with their words. */
export const jobStatuses = (): [string, string][] => Object.entries(t());
