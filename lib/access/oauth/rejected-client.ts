import { elapsed, stamp } from '../net/clock.ts';
import { AccessError } from './access-error.ts';
import { readVersion } from './credentials-in-use.ts';
import {
  allRejectedError,
  type Attempt,
  type Candidate,
  type ClientRejection,
  closeClient,
  errorOf,
  rejectionPause,
  searchVersions,
  type SearchState,
  tryOne,
} from './version-search.ts';

/** With three versions that is ten requests in the first hour, and six in each later one. */
const probeIntervals = [60_000, 240_000] as const;
const maxProbeInterval = 600_000;
/** Returns the rejected version that is due for a probe: the one in use and another one alternate. */
const dueProbe = ({ clock, closed, rejected, current, lastRejection }: SearchState): Candidate | undefined => {
  if (closed === undefined) return undefined;
  // A rejected certificate does not lock the client out.
  const interval = lastRejection?.kind === 'CertificateInvalid' ? rejectionPause : probeIntervals[closed.probes];
  if (elapsed(clock, closed.probedAt) < (interval ?? maxProbeInterval)) return undefined;
  const inUse = rejected.get(current?.versionId ?? '');
  const other = [...rejected.values()].find((version) => version !== inUse);
  const [first, second] = closed.probes % 2 === 0 ? [inUse, other] : [other, inUse];
  return (first ?? second)?.candidate;
};

const readAgain = async (context: SearchState, signal: AbortSignal): Promise<string | undefined> => {
  try {
    return (await readVersion(context, 'AWSCURRENT', signal, true)).versionId;
  } catch (error) {
    if (signal.aborted || !(error instanceof AccessError)) throw error;
    return undefined;
  }
};

/**
 * Checks once a minute for a new version, and tries it at once. Rejected versions are probed seldom: servers lock
 * clients out, and each container of the client sends its own requests.
 */
export const searchAgain = async <Value>(
  context: SearchState,
  closed: ClientRejection,
  attempt: Attempt<Value>,
  signal: AbortSignal,
) => {
  const version = await readAgain(context, signal);
  const isNew = version !== undefined && version !== closed.version && !context.rejected.has(version);
  closed.checkedAt = stamp(context.clock);
  if (version !== undefined) closed.version = version;
  if (isNew) return searchVersions(context, attempt, signal, undefined);
  const probe = dueProbe(context);
  if (probe === undefined) throw allRejectedError(context, rejectionPause);
  closed.probes += 1;
  closed.probedAt = stamp(context.clock);
  const tried = await tryOne(context, attempt, probe);
  if (tried === undefined) throw closeClient(context);
  if ('won' in tried) return tried.won;
  throw errorOf(tried.doubt);
};
