import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type MailKind, mailboxOf, mailsPerMailbox, maxMailDays, oneSpelling } from '../../domain/messages/mailing.ts';
import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { timeOfId } from '../engine/id-time.ts';
import { type Key, mailAddressKey, mailCountKey, mailKey, mailKeyItem, stoppedAddressKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { keyedDigest, storedKey } from '../engine/stored-key.ts';
import { putNew, transact, update, updateIf } from '../engine/transact.ts';

/*
 * The mails of the service: which were sent, how many in a day, and the addresses that get none. No row has an address:
 * a keyed digest stands for it.
 */

const daySeconds = 86_400;
/** A complaint comes weeks after its mail. No mail is forgotten that may be sent. */
const mailDays = maxMailDays.receipts;
const countDays = 2;
const stoppedDays = 365;

const expiryIn = (days: number, now: number): number => Math.ceil(now / 1000) + days * daySeconds;

const { findOrCreate: readKey } = storedKey(mailKeyItem);

/** The keyed digests that stand for an address in all rows. Without a tag they are equal. */
type Digests = {
  /** The address itself: what bounces. */
  readonly address: string;
  /** The mailbox behind it: what is counted. */
  readonly mailbox: string;
};

/** Returns the keyed digests of an address. */
export const digestsOf = async (session: Session, address: string): Promise<Digests> => {
  const key = await readKey(session);
  return { address: keyedDigest(key, oneSpelling(address)), mailbox: keyedDigest(key, mailboxOf(address)) };
};

/** The mail of an event, from the moment at which a worker may send it. */
type StoredMail = {
  readonly address: string;
  /** Until then, in epoch milliseconds, no other worker sends it. */
  readonly claimedUntil: number;
  /** The attempts since SES last rejected it. Each may have been a mail. */
  readonly attempts: number;
  readonly sentAt?: string;
  /** The id of the mail at SES. Empty if SES named none. */
  readonly messageId?: string;
};

/** Reads the mail of an event. Strongly consistent. */
export const readMail = async (session: Session, eventId: string): Promise<StoredMail | undefined> =>
  getItem<StoredMail>(session, mailKey(eventId));

/** Whether the mail of an event comes too late: after a late redrive, or a replay of an archive of EventBridge. */
export const isTooOld = (eventId: string, kind: MailKind, now: number): boolean =>
  timeOfId(eventId) < now - maxMailDays[kind] * daySeconds * 1000;

/**
 * Whether an address gets no mails, because one to it or to its mailbox bounced, or its owner complained. Strongly
 * consistent.
 */
export const isStopped = async (session: Session, { address, mailbox }: Digests): Promise<boolean> => {
  for (const digest of new Set([mailbox, address]))
    if ((await getItem(session, stoppedAddressKey(digest))) !== undefined) return true;
  return false;
};

/** Counts a mail, unless the limit of the day is reached. */
const countUpTo = (guards: string, Key: Key, limit: number, now: number) =>
  update(guards, {
    Key,
    UpdateExpression: 'ADD mails :one SET expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(mails) OR mails < :limit',
    ExpressionAttributeValues: { ':one': 1, ':limit': limit, ':expiry': expiryIn(countDays, now) },
  });

/** Less than the visibility timeout of the queue: its next message finds the first claim over. */
const firstClaimMs = 150_000;

/**
 * Returns the end of a claim. Its time doubles with each attempt that SES did not reject, because each may have been a
 * mail. So the customer gets at most five in the hour for which the queue tries.
 */
const claimEnd = (now: number, attempts: number): number => now + firstClaimMs * 2 ** attempts;

/** A mail before it is sent. */
export type Claim = Digests & {
  readonly eventId: string;
  readonly kind: MailKind;
  /** The mails of the kind that the deployment sends in a day. */
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The attempts before this one that SES did not reject. */
  readonly attempts: number;
};

/** The result of a claim. `held`: another worker may be sending the mail. */
export type ClaimOutcome = 'claimed' | 'held' | 'address_limit' | 'deployment_limit';

const maxTries = 6;
const pauseLimits = { baseMs: 20, maxMs: 500 };

/**
 * Claims the mail of an event and counts it, before it is sent. A second claim, after an attempt without an answer, is
 * not counted again.
 *
 * @throws when other workers count mails all the time
 */
export const claimMail = async (session: Session, claim: Claim): Promise<ClaimOutcome> => {
  const { eventId, address, mailbox, kind, limit, now, attempts } = claim;
  const until = claimEnd(now, attempts);
  const renewed = await updateIf(session, {
    TableName: table(),
    Key: mailKey(eventId),
    UpdateExpression: 'SET claimedUntil = :until ADD attempts :one',
    ConditionExpression: 'claimedUntil <= :now AND attribute_not_exists(sentAt)',
    ExpressionAttributeValues: { ':until': until, ':now': now, ':one': 1 },
  });
  if (renewed) return 'claimed';
  const day = new Date(now).toISOString().slice(0, 10);
  for (let tries = 1; ; tries += 1) {
    const outcome = await transact(session, [
      putNew('mail', mailKey(eventId), {
        address,
        claimedUntil: until,
        attempts: 1,
        expiresAt: expiryIn(mailDays, now),
      }),
      countUpTo('address_limit', mailAddressKey(mailbox, day, kind), mailsPerMailbox[kind], now),
      countUpTo('deployment_limit', mailCountKey(day, kind), limit, now),
    ]);
    if (outcome.written) return 'claimed';
    const { failed } = outcome;
    if (failed.includes('mail')) return 'held';
    if (failed.includes('address_limit')) return 'address_limit';
    if (failed.includes('deployment_limit')) return 'deployment_limit';
    if (tries === maxTries) throw new Error('the counters of mails are contended');
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
};

/** Stores that SES has rejected a mail, so that the next attempt comes soon. */
export const recordRejectedMail = async (session: Session, eventId: string, now: number): Promise<void> =>
  void (await updateIf(session, {
    TableName: table(),
    Key: mailKey(eventId),
    UpdateExpression: 'SET claimedUntil = :until, attempts = :none',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':until': claimEnd(now, 0), ':none': 0 },
  }));

/** Stores that SES has accepted a mail. */
export const recordSentMail = async (
  session: Session,
  eventId: string,
  { sentAt, messageId }: { readonly sentAt: string; readonly messageId: string },
): Promise<void> =>
  void (await updateIf(session, {
    TableName: table(),
    Key: mailKey(eventId),
    UpdateExpression: 'SET sentAt = :at, messageId = :id',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(sentAt)',
    ExpressionAttributeValues: { ':at': sentAt, ':id': messageId },
  }));

/**
 * Stops an address for a year: no mail goes there. One with a tag does not stop its mailbox: anybody can type a tag that
 * the mailbox does not have, and its bounce says nothing about the mailbox.
 */
export const stopAddress = async (session: Session, address: string, now: number): Promise<void> => {
  const Item = { ...stoppedAddressKey(address), expiresAt: expiryIn(stoppedDays, now) };
  await session.send(new PutCommand({ TableName: table(), Item }));
};
