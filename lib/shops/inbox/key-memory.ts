import type { KeyMemory, Receiver } from '../platforms/platform.ts';
import { errorName, log } from '../../runtime/log.ts';
import type { Session } from '../../store/engine/session.ts';
import { isProvenKey, storeProvenKey } from '../../store/inbox/proven-keys.ts';

/**
 * Returns what the deployment remembers of a platform's keys, for one delivery. A failure of the table decides nothing:
 * an address that cannot be read counts as unknown, and one that cannot be stored is stored by the next delivery.
 */
export const keyMemoryOf = (
  session: Session,
  { name: platform }: Receiver,
  traceId: string,
): KeyMemory & { readonly remember: (url: string | undefined) => Promise<void> } => ({
  isProven: async (url) => {
    try {
      return await isProvenKey(session, platform, url);
    } catch (error) {
      log('warn', 'proven key not read', { traceId, platform, error: errorName(error) });
      return false;
    }
  },
  remember: async (url) => {
    if (url === undefined) return;
    try {
      await storeProvenKey(session, platform, url);
    } catch (error) {
      log('warn', 'proven key not stored', { traceId, platform, error: errorName(error) });
    }
  },
});
