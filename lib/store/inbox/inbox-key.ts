import type { InboxRow } from './inbox-row.ts';

const prefix = 'INBOX#';
const enc = encodeURIComponent;

/**
 * The partition key of a delivery, which is also what travels through the queue. The topic is a part of it: it is not
 * signed, and a delivery that comes with a false one first must not stand in the way of the true one.
 */
export const inboxKey = (row: Pick<InboxRow, 'platform' | 'source' | 'topic' | 'deliveryId'>): string =>
  `${prefix}${row.platform}#${enc(row.source)}#${enc(row.topic)}#${enc(row.deliveryId)}`;

/** Whether a text has the form of such a key. */
export const isInboxKey = (text: string): boolean => text.startsWith(prefix) && /^[^#]+(#[^#]+){4}$/.test(text);

/** What callers know a delivery by: its key, in letters that a path takes as they are. */
export const shownKey = (key: string): string => Buffer.from(key.slice(prefix.length)).toString('base64url');

/** The key that callers know by this name; that there is such a delivery is not said. */
export const storedKey = (shown: string): string => `${prefix}${Buffer.from(shown, 'base64url').toString()}`;
