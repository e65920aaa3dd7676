import type { Context } from 'aws-lambda';
import type { PlatformChange, Translator } from '../platforms/platform.ts';
import type { Subscriptions } from '../platforms/subscription.ts';
import { readSourceNames } from '../platforms/shared/http/sources.ts';
import { platformsConfig, reconcileConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { errorName, log } from '../../runtime/log.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import { notFound, SecretUnavailable } from '../../access/secrets/secret.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import {
  type ShopSource,
  readShopCheckpoint,
  type ShopCheckpoint,
  writeShopCheckpoint,
} from '../../store/inbox/inbox-replay.ts';
import { storeDelivery } from '../../store/inbox/inbox.ts';
import { batchSize } from '../../access/queues/send-messages.ts';
import { checkSubscriptions } from './check-subscriptions.ts';
import { enqueueAll } from './queue.ts';
import { newRow } from './row.ts';

/** Time reserved before the function's timeout, to report the end of the run. */
const reserveMs = 5_000;
/** No page begins with less time left: a slow shop would count as unavailable. */
const pageMs = 25_000;
/** Time reserved to store the changes of a page. */
const storeMs = 5_000;
/** Shops that are read concurrently. */
const workers = 4;

const platforms = configured(platformsConfig);
const config = configured(reconcileConfig);

/** Thrown at the end of a run, so that the error metric of the function counts it. */
class NotReconciled extends Error {
  override readonly name = 'NotReconciled';
}

type FetchChanges = NonNullable<Translator['fetchChanges']>;
type ShopScan = ShopSource & {
  readonly changedSince: FetchChanges;
  readonly checkpoint: ShopCheckpoint;
  /** The positions of the pages of this run, to detect a loop. */
  readonly readCursors: ReadonlySet<string>;
};

/** The counts of a run: read shops, found changes, new changes, and shops left for the next run. */
type ReconcileResult = { shops: number; found: number; stored: number; failed: number; postponed: number };

type Run = {
  readonly session: Session;
  readonly end: number;
  readonly done: ReconcileResult;
  /** The platforms whose shops could not be listed. They count as failed, and have no number of shops. */
  readonly unlisted: string[];
};

const reasonOf = (error: unknown): string => (error instanceof SecretUnavailable ? error.reason : errorName(error));

const recordFailure = (
  { done }: Run,
  origin: { readonly platform: string; readonly source?: string },
  reason: string,
) => {
  done.failed += 1;
  log('error', 'shop not reconciled', { ...origin, reason });
};

const failureOf = ({ done, unlisted }: Run): string => {
  const failedShops = done.failed - unlisted.length;
  return [
    ...(failedShops > 0 ? [`${failedShops} of ${done.shops} shops were not reconciled`] : []),
    ...(unlisted.length > 0 ? [`the shops of ${unlisted.join(', ')} could not be listed`] : []),
  ].join('; ');
};

/** Whether a text is short enough for a key and has only the characters that a key allows. */
const isStorableId = (id: string): boolean => /^[\x21-\x7e]{1,300}$/.test(id);

/**
 * The id of a change in the inbox, which no delivery of a shop can have. It contains texts of the shop. An id that the
 * store rejects would block its page and all later ones forever.
 */
const changeDeliveryId = ({ deliveryId }: PlatformChange): string =>
  `reconcile:${isStorableId(deliveryId) ? deliveryId : sha256(deliveryId, 'base64url')}`;

/** Stores an unknown change and returns its key; undefined for a known one. */
const storeChange = async (session: Session, { platform, source }: ShopSource, change: PlatformChange) => {
  const row = newRow({
    platform,
    source,
    topic: change.topic,
    deliveryId: changeDeliveryId(change),
    body: Buffer.from(JSON.stringify(change.body)),
    traceId: newTraceId(),
  });
  const stored = await storeDelivery(session, row);
  return stored.kind === 'new' ? [stored.key] : [];
};

/** Stores, then enqueues, like a receiver. The sweeper enqueues what this does not. */
const storeChanges = async (
  { session, done }: Run,
  origin: ShopSource,
  found: readonly PlatformChange[],
): Promise<void> => {
  for (let start = 0; start < found.length; start += batchSize) {
    const batch = found.slice(start, start + batchSize);
    const stored = await Promise.all(batch.map(async (change) => storeChange(session, origin, change)));
    const keys = stored.flat();
    done.found += batch.length;
    done.stored += keys.length;
    if (keys.length > 0) {
      await enqueueAll(keys, session.signal).catch((error: unknown) =>
        log('warn', 'changes not enqueued', { ...origin, error: errorName(error) }),
      );
    }
  }
};

/** Reads and stores a page of a shop's changes. The checkpoint moves only after the page is stored. */
const readPage = async (
  run: Run,
  { changedSince, checkpoint, readCursors, ...origin }: ShopScan,
): Promise<ShopScan | undefined> => {
  const { platform, source } = origin;
  const since = new Date(Date.now() - config().firstMs).toISOString();
  const { cursor } = checkpoint;
  const read = await changedSince(source, { since, ...(cursor !== undefined && { cursor }) }, run.end - storeMs);
  if (!read.ok) {
    recordFailure(run, { platform, source }, read.failure.reason);
    return undefined;
  }
  await storeChanges(run, origin, read.value.found);
  const written = await writeShopCheckpoint(run.session, origin, checkpoint, read.value.cursor);
  // Another run has read the same page and continues.
  if (written === undefined) return undefined;
  if (!read.value.more) return undefined;
  const cursors = new Set([...readCursors, cursor ?? '']);
  if (!cursors.has(read.value.cursor)) return { ...origin, changedSince, checkpoint: written, readCursors: cursors };
  recordFailure(run, { platform, source }, 'cursor_repeated');
  return undefined;
};

const scansOf = async (run: Run, platform: string, changedSince: FetchChanges): Promise<readonly ShopScan[]> => {
  try {
    const sources = await readSourceNames(`api/${platform}`, { fresh: true, signal: run.session.signal });
    return await Promise.all(
      sources.map(async (source) => {
        const origin = { platform, source };
        const checkpoint = await readShopCheckpoint(run.session, origin);
        return { ...origin, changedSince, checkpoint, readCursors: new Set<string>() };
      }),
    );
  } catch (error) {
    const reason = reasonOf(error);
    // A platform may be enabled before it has shops.
    if (reason === notFound) log('info', 'platform without shops skipped', { platform });
    else {
      run.unlisted.push(platform);
      recordFailure(run, { platform }, reason);
    }
    return [];
  }
};

/** Reads pages of all shops in turns, so that a large shop does not delay others. */
const runScans = async (run: Run, waiting: ShopScan[]): Promise<void> => {
  for (let scan = waiting.shift(); scan !== undefined; scan = waiting.shift()) {
    if (Date.now() + pageMs > run.end) {
      run.done.postponed += 1;
      continue;
    }
    const { platform, source } = scan;
    try {
      const rest = await readPage(run, scan);
      if (rest !== undefined) waiting.push(rest);
    } catch (error) {
      recordFailure(run, { platform, source }, reasonOf(error));
    }
  }
};

/**
 * Checks the subscriptions of shops, after all changes are read. No failure of a check is one of the run: the changes
 * are stored.
 */
const runChecks = async (
  { session, end }: Run,
  shops: ShopSource[],
  subscriptions: Readonly<Record<string, Subscriptions>>,
): Promise<void> => {
  for (let shop = shops.shift(); shop !== undefined; shop = shops.shift()) {
    const { platform, source } = shop;
    const own = Object.hasOwn(subscriptions, platform) ? subscriptions[platform] : undefined;
    if (own === undefined || Date.now() + pageMs > end) continue;
    try {
      await checkSubscriptions(session, { platform, source }, own, end - storeMs);
    } catch (error) {
      log('warn', 'subscriptions not checked', { platform, source, reason: reasonOf(error) });
    }
  }
};

/**
 * Finds changes of the shops that no delivery has reported.
 * It stores them in the inbox like deliveries. It continues at its checkpoint. For a new shop it starts a day ago. A
 * known change costs one rejected write. So two runs may overlap, and a run that died does no harm. A failing shop does
 * not delay others.
 *
 * @param translators the supported platforms. Shops of disabled ones are not read.
 * @param subscriptions the platforms whose subscriptions are checked afterwards
 * @throws {NotReconciled} after all shops, when one failed or the shops of a platform could not be listed
 */
export const reconcile = (
  translators: Readonly<Record<string, Translator>>,
  subscriptions: Readonly<Record<string, Subscriptions>>,
) =>
  async function reconcilePlatforms(
    _event: unknown,
    { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<ReconcileResult> {
    const end = Date.now() + getRemainingTimeInMillis() - reserveMs;
    using session = openSession(end);
    const done: ReconcileResult = { shops: 0, found: 0, stored: 0, failed: 0, postponed: 0 };
    const run: Run = { session, end, done, unlisted: [] };
    const scans = await Promise.all(
      platforms().enabled.map(async (platform) => {
        const translator = Object.hasOwn(translators, platform) ? translators[platform] : undefined;
        return translator?.fetchChanges === undefined ? [] : scansOf(run, platform, translator.fetchChanges);
      }),
    );
    // The longest waiting shops first, so that a short run does not always skip the same ones.
    const waiting = scans.flat().toSorted((a, b) => ((a.checkpoint.at ?? '') < (b.checkpoint.at ?? '') ? -1 : 1));
    done.shops = waiting.length;
    const toCheck: ShopSource[] = [...waiting];
    await Promise.all(Array.from({ length: workers }, async () => runScans(run, waiting)));
    await Promise.all(Array.from({ length: workers }, async () => runChecks(run, toCheck, subscriptions)));
    log(done.postponed > 0 ? 'warn' : 'info', 'shops reconciled', done);
    if (done.failed > 0) throw new NotReconciled(failureOf(run));
    return done;
  };
