import { historyConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { log } from '../runtime/log.ts';
import type { HistoryKey, KeyRing } from '../returns/history/mac.ts';
import { SecretUnavailable } from '../secrets/secret.ts';
import { secrets, type ReadOptions } from '../secrets/source.ts';
import type { Session } from '../store/engine/session.ts';
import { keyRingIn } from './key-ring.ts';

const config = configured(historyConfig);

const readRing = async (options: ReadOptions): Promise<KeyRing | undefined> =>
  keyRingIn((await secrets().read(config().historyKeysId, options)).text);

/**
 * The keys of histories, kept as long as other secrets are. A ring that somebody wrote wrongly does not end all commands:
 * the version before it stays in use.
 *
 * @throws {SecretUnavailable}
 */
export const readKeyRing = async ({ signal }: Session, options: Pick<ReadOptions, 'force'> = {}): Promise<KeyRing> => {
  try {
    const ring = await readRing({ ...options, signal });
    if (ring !== undefined) return ring;
    log('error', 'history keys malformed');
    const earlier = await readRing({ signal, stage: 'AWSPREVIOUS' });
    if (earlier !== undefined) return earlier;
    throw new SecretUnavailable('malformed');
  } catch (error) {
    if (error instanceof SecretUnavailable) log('error', 'history keys not read', { reason: error.reason });
    throw error;
  }
};

/** The key of new entries. @throws {SecretUnavailable} */
export const currentKey = async (session: Session): Promise<HistoryKey> => (await readKeyRing(session)).current;
