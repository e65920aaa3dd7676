import { findSource } from '../platforms/shared/http/sources.ts';
import { erasureConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import type { Session } from '../store/engine/session.ts';
import { nameDigest, readOrCreateNameKey } from '../store/inbox/inbox-names.ts';
import type { InboxRow } from '../store/inbox/inbox-row.ts';
import { maxNames, namesIn } from './names-in.ts';
import { readBody } from './row.ts';

const config = configured(erasureConfig);

/** A shop may send very many deliveries that we ignore. Most of them name one person and one order. */
const maxDigests = { parked: maxNames, failed: maxNames, ignored: 3 };

/** A read of a body from the bucket takes two attempts of 1.5 s. */
const bodyMs = 3_000;

/**
 * Returns the platform under which orders of the delivery's shop are registered.
 * Without a readable secret, it returns the platform of the delivery.
 */
const platformOf = async ({ platform, source }: InboxRow, signal: AbortSignal): Promise<string> => {
  try {
    const found = await findSource(`api/${platform}`, source, (entry) => entry.orderPlatform(), { signal });
    return found ?? platform;
  } catch {
    // The reader of the secret logs what is wrong with it.
    return platform;
  }
};

/**
 * Returns digests of the names in the body of a delivery without a readable order.
 * An erasure finds the delivery by them. Undefined if the body has no name, or if the deployment does not erase
 * persons.
 */
export const nameDigestsOf = async (
  session: Session,
  row: InboxRow,
  status: keyof typeof maxDigests,
): Promise<readonly string[] | undefined> => {
  if (!config().isErasing) return undefined;
  const bytes = await readBody(row, Date.now() + bodyMs);
  // Without its body, no erasure finds the delivery. The retention of the inbox deletes it.
  if (!bytes.ok) return undefined;
  const names = namesIn(bytes.value, row.topic).slice(0, maxDigests[status]);
  if (names.length === 0) return undefined;
  const [key, platform] = await Promise.all([readOrCreateNameKey(session), platformOf(row, session.signal)]);
  return [...new Set(names.map((name) => nameDigest(key, platform, name)))];
};
