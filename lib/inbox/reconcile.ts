import type { Context } from 'aws-lambda';
import type { PlatformChange, Translator } from '../platforms/platform.ts';
import { readSourceNames } from '../platforms/shared/http/sources.ts';
import { platformsConfig, reconcileConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { sha256 } from '../runtime/hash.ts';
import { errorName, log } from '../runtime/log.ts';
import { newTraceId } from '../runtime/trace-context.ts';
import { notFound, SecretUnavailable } from '../secrets/secret.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import {
  type ShopSource,
  readShopCheckpoint,
  type ShopCheckpoint,
  writeShopCheckpoint,
} from '../store/inbox/inbox-replay.ts';
import { storeDelivery } from '../store/inbox/inbox.ts';
import { batchSize, enqueueAll } from './queue.ts';
import { newRow } from './row.ts';

/** Kept back from the function's time, to say how the run ended. */
const reserveMs = 5_000;
/** No page is begun with less: a shop that is slow would be taken for one that is down. */
const pageMs = 25_000;
/** Kept back from a page's time, to store what it tells. */
const storeMs = 5_000;
/** As many shops are asked at once. */
const workers = 4;

const platforms = configured(platformsConfig);
const config = configured(reconcileConfig);

/** Thrown at the end of a run, so that the function's error metric counts it. */
class NotReconciled extends Error {
  override readonly name = 'NotReconciled';
}

type FetchChanges = NonNullable<Translator['fetchChanges']>;
type ShopScan = ShopSource & {
  readonly changedSince: FetchChanges;
  readonly checkpoint: ShopCheckpoint;
  /** Where its pages of this run began: one that comes again would come for ever. */
  readonly begun: ReadonlySet<string>;
};

/** What a run did: shops that were asked, what was found, what of it was new; and what was left for the next run. */
type ReconcileResult = { shops: number; found: number; stored: number; failed: number; postponed: number };

type Run = { readonly session: Session; readonly end: number; readonly done: ReconcileResult };

const reasonOf = (error: unknown): string => (error instanceof SecretUnavailable ? error.reason : errorName(error));

const recordFailure = (
  { done }: Run,
  origin: { readonly platform: string; readonly source?: string },
  reason: string,
) => {
  done.failed += 1;
  log('error', 'shop not reconciled', { ...origin, reason });
};

/** Letters that a key takes as they are, and no more of them than it has room for. */
const isStorableId = (id: string): boolean => /^[\x21-\x7e]{1,300}$/.test(id);

/**
 * What a change is called in the inbox: no delivery of a shop has an id like that. It is made of words of the shop, and
 * one that the store refuses would stop its page, and all that come after it, for ever.
 */
const changeDeliveryId = ({ deliveryId }: PlatformChange): string =>
  `reconcile:${isStorableId(deliveryId) ? deliveryId : sha256(deliveryId, 'base64url')}`;

/** Stores a change unless it is known; says under which key it is new. */
const storeChange = async (session: Session, { platform, source }: ShopSource, change: PlatformChange) => {
  const row = await newRow({
    platform,
    source,
    topic: change.topic,
    deliveryId: changeDeliveryId(change),
    body: Buffer.from(JSON.stringify(change.body)),
    traceId: newTraceId(),
  });
  const stored = await storeDelivery(session, row, { markBody: false });
  return stored.kind === 'new' ? [stored.key] : [];
};

/** Stores, then announces, as a receiver does: what is not announced is left to the sweeper. */
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
        log('warn', 'changes not announced', { ...origin, error: errorName(error) }),
      );
    }
  }
};

/** Reads a page of a shop's changes. Where the next one begins is written only once this one is stored. */
const readPage = async (
  run: Run,
  { changedSince, checkpoint, begun, ...origin }: ShopScan,
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
  // Another run has read the same, and goes on with it.
  if (written === undefined) return undefined;
  if (!read.value.more) return undefined;
  const places = new Set([...begun, cursor ?? '']);
  if (!places.has(read.value.cursor)) return { ...origin, changedSince, checkpoint: written, begun: places };
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
        return { ...origin, changedSince, checkpoint, begun: new Set<string>() };
      }),
    );
  } catch (error) {
    const reason = reasonOf(error);
    // Platforms are enabled by default, and before they have shops.
    if (reason === notFound) log('info', 'platform without shops', { platform });
    else recordFailure(run, { platform }, reason);
    return [];
  }
};

/** Takes pages of all shops in turn, so that one with many holds up no other. */
const runScans = async (run: Run, waiting: ShopScan[]): Promise<void> => {
  for (let walk = waiting.shift(); walk !== undefined; walk = waiting.shift()) {
    if (Date.now() + pageMs > run.end) {
      run.done.postponed += 1;
      continue;
    }
    const { platform, source } = walk;
    try {
      const rest = await readPage(run, walk);
      if (rest !== undefined) waiting.push(rest);
    } catch (error) {
      recordFailure(run, { platform, source }, reasonOf(error));
    }
  }
};

/**
 * Finds what changed in the shops and no delivery told us of, and puts it into the inbox as if one had. It goes on where
 * it stopped, or begins a day ago with a shop that is new. What is known already costs one refused write, so two runs may
 * go on at the same time, and what a run has stored before it died is not stored again. A shop that fails holds up no other.
 *
 * @param translators the platforms that are understood; of those that are not enabled no shop is asked
 * @throws {NotReconciled} once it has tried all shops, when one failed
 */
export const reconcile = (translators: Readonly<Record<string, Translator>>) =>
  async function reconcilePlatforms(
    _event: unknown,
    { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<ReconcileResult> {
    const end = Date.now() + getRemainingTimeInMillis() - reserveMs;
    using session = openSession(end);
    const done: ReconcileResult = { shops: 0, found: 0, stored: 0, failed: 0, postponed: 0 };
    const run: Run = { session, end, done };
    const walks = await Promise.all(
      platforms().enabled.map(async (platform) => {
        const translator = Object.hasOwn(translators, platform) ? translators[platform] : undefined;
        return translator?.fetchChanges === undefined ? [] : scansOf(run, platform, translator.fetchChanges);
      }),
    );
    // Those that have waited longest first: where time runs short, it is not always for the same.
    const waiting = walks.flat().toSorted((a, b) => ((a.checkpoint.at ?? '') < (b.checkpoint.at ?? '') ? -1 : 1));
    done.shops = waiting.length;
    await Promise.all(Array.from({ length: workers }, async () => runScans(run, waiting)));
    log(done.postponed > 0 ? 'warn' : 'info', 'shops reconciled', done);
    if (done.failed > 0) throw new NotReconciled(`${done.failed} of ${done.shops} shops were not reconciled`);
    return done;
  };
