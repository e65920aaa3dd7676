import type { ExportedHistory } from '../returns/history/exported-history.ts';
import type { Return } from '../returns/model/return.ts';
import { proofsIn, readAnchored } from '../store/anchors/anchors.ts';
import { keptEntries } from '../store/returns/returns.ts';
import type { Session } from '../store/engine/session.ts';
import type { ExportFormat } from '../store/jobs/job.ts';

/** Reads the history of a return with its proof in the last tree; nothing is read of trees where no history is wanted. */
export const historiesOf = async (
  session: Session,
  format: ExportFormat,
): Promise<(state: Return) => Promise<ExportedHistory>> => {
  const anchored = format === 'history' ? await readAnchored(session) : undefined;
  const proofOf = anchored && proofsIn(session, anchored);
  return async ({ id: returnId, version, head }) => {
    const entries = [];
    for await (const batch of keptEntries(session, returnId, -1)) entries.push(...batch);
    const proof = await proofOf?.(returnId);
    return {
      returnId,
      version,
      head,
      entries: entries.map(({ entry }) => entry ?? null),
      ...(proof !== undefined && { proof }),
    };
  };
};
