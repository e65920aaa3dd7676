import { sourcesNow } from '../platforms/shared/http/sources.ts';
import { perContainer } from '../runtime/container.ts';

/*
 * Whose a message of the events' queue is. Every project of a platform's customers may write to the queue, because the
 * platform sends all of their messages as one AWS user. Those of other projects are no trouble of ours to be mended.
 */

/** As often the secret is read again for sources that it does not have. */
const intervalMs = 10_000;

type Check = { readonly at: number; readonly names: ReadonlySet<string> };

/** What the secret held at an instant, by platform. */
const checks = perContainer(() => new Map<string, Check>());
/** Reads that all messages of a batch wait for. */
const underway = perContainer(() => new Map<string, Promise<Check | undefined>>());

const readNow = async (platform: string, signal: AbortSignal): Promise<Check | undefined> => {
  const at = Date.now();
  const names = await sourcesNow(`webhooks/${platform}`, signal);
  if (names === undefined) return undefined;
  const check = { at, names: new Set(names.map((name) => name.toLowerCase())) };
  checks().set(platform, check);
  return check;
};

const checkNow = async (platform: string, signal: AbortSignal): Promise<Check | undefined> => {
  const reads = underway();
  const reading = reads.get(platform) ?? readNow(platform, signal).finally(() => reads.delete(platform));
  reads.set(platform, reading);
  return reading;
};

/**
 * Whether a source is none of ours: by the secret as it was read after the message was sent, since a shop is put into the
 * secret before it is subscribed. Undefined while the secret was not read since then.
 *
 * @param sentAt epoch milliseconds
 */
export const isForeign = async (
  { platform, source, sentAt }: { readonly platform: string; readonly source: string; readonly sentAt: number },
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  const known = checks().get(platform);
  const name = source.toLowerCase();
  if (known !== undefined && known.at >= sentAt) return !known.names.has(name);
  if (known !== undefined && Date.now() - known.at < intervalMs) return undefined;
  const check = await checkNow(platform, signal);
  return check !== undefined && check.at >= sentAt ? !check.names.has(name) : undefined;
};
