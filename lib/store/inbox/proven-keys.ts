import { perContainer } from '../../runtime/container.ts';
import { getItem } from '../engine/batch-get.ts';
import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { put, putOne } from '../engine/transact.ts';

/*
 * The addresses of public keys that have verified a delivery. A sender names the address of the key, and fetches of
 * unknown addresses are limited. A new container knows no address, so forged deliveries could use up its fetches. Only
 * a verified delivery writes a row, so a platform's own keys are their limit.
 */

/** Longer than any platform uses a key without a delivery. */
const retentionMs = 90 * 86_400_000;
const maxRemembered = 100;

const keyOf = (platform: string, url: string): Key => ({
  pk: `PROVENKEYS#${platform}#${encodeURIComponent(url)}`,
  sk: 'KEY',
});

/** The addresses that this container has stored. */
const remembered = perContainer(() => new Set<string>());

/** Returns whether a key at the address has verified a delivery of the platform. */
export const isProvenKey = async (session: Session, platform: string, url: string): Promise<boolean> =>
  (await getItem(session, keyOf(platform, url))) !== undefined;

/** Stores that a key at the address has verified a delivery. Each container stores an address once. */
export const storeProvenKey = async (session: Session, platform: string, url: string): Promise<void> => {
  const key = keyOf(platform, url);
  if (remembered().has(key.pk)) return;
  await putOne(session, put('provenKey', key, { expiresAt: Math.floor((Date.now() + retentionMs) / 1000) }));
  if (remembered().size < maxRemembered) remembered().add(key.pk);
};
