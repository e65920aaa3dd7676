import type { Job } from './job.ts';
import { getItem } from '../engine/get-item.ts';
import { readJob } from './jobs.ts';
import { openJobsKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, type Write } from '../engine/transact.ts';

type OpenJobs = { readonly jobIds: readonly string[]; readonly version: number };
type Whose = Pick<Job, 'createdBy' | 'kind'>;

const isOpen = async (session: Session, jobId: string): Promise<boolean> =>
  (await readJob(session, jobId))?.value.status === 'open';

/** The jobs of a kind that a client has open; the version is that of the list, 0 where there is none. */
export const readOpenJobs = async (session: Session, { createdBy, kind }: Whose): Promise<OpenJobs> => {
  const kept = await getItem<OpenJobs>(session, openJobsKey(createdBy.clientId, kind));
  const { jobIds = [], version = 0 } = kept ?? {};
  const open = await Promise.all(jobIds.map(async (jobId) => isOpen(session, jobId)));
  return { jobIds: jobIds.filter((_, index) => open[index]), version };
};

/** The list in place of its version. */
export const writeOpenJobs = ({ createdBy, kind }: Whose, { jobIds, version }: OpenJobs): Write =>
  putVersion('openJobs', openJobsKey(createdBy.clientId, kind), { jobIds, version: version + 1 }, version);
