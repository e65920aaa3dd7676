import type { Happening } from '../../events/happening.ts';
import { unlistedKey, unlistedPartition } from '../engine/keys.ts';
import { writeHappening } from './outbox.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { put, type Write } from '../engine/transact.ts';

/*
 * Places of their own for what happens once, such as the end of an erasure: the stream alone knows of them. Each is listed
 * here for as long as logs are kept, so that what the stream gives up is found.
 */

const keptSeconds = 32 * 24 * 3600;

/** A happening of a place that no list leads to, and what leads there. */
export const writeUnlisted = (place: string, happening: Happening): readonly Write[] => [
  writeHappening(place, happening),
  put('unlisted', unlistedKey(place), { expiresAt: Math.floor(Date.parse(happening.at) / 1000) + keptSeconds }),
];

/** The places in which something happened of late that no list leads to. Eventually consistent. */
export const readUnlisted = async (session: Session): Promise<readonly string[]> => {
  const items = await queryAll<{ sk: string }>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': unlistedPartition },
  });
  return items.map(({ sk }) => sk);
};
