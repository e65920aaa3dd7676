import type { Effect, Wanted } from '../../../../lib/shops/platforms/effect.ts';
import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';

/** How an intent ended. `waiting`: the shop still works on it, or our return is not ready. */
export type Outcome =
  | { readonly status: 'confirmed'; readonly externalId?: string }
  | { readonly status: 'deferred'; readonly to: EffectAction }
  | { readonly status: 'parked'; readonly reason: string; readonly seen?: unknown }
  | { readonly status: 'waiting' };

const maxRuns = 12;
const parked = (reason: string, seen?: unknown): Outcome => ({ status: 'parked', reason, seen });
const confirmed = (externalId: string | undefined): Outcome => ({
  status: 'confirmed',
  ...(externalId !== undefined && { externalId }),
});

/**
 * Runs an intent by the rules of the worker until it ends: it reads, sends once, and reads before it sends again.
 * Time passes only between runs: once an answer is lost, the next read is early, and those after it are late.
 *
 * @param pause what happens between two steps
 */
export const drive = async (
  effect: Effect,
  source: string,
  wanted: Wanted,
  pause: () => Promise<void> = async () => undefined,
): Promise<Outcome> => {
  const soon = () => Date.now() + 20_000;
  let { askedAt } = wanted;
  let isPast = false;
  const now = (): Wanted => {
    if (askedAt === undefined) return wanted;
    return { ...wanted, askedAt: isPast ? new Date(Date.now() - effect.settleMs - 1000).toISOString() : askedAt };
  };
  for (let run = 0; run < maxRuns; run += 1) {
    const read = await effect.see(source, now(), soon());
    if (!read.ok && read.failure.kind === 'permanent') return parked(read.failure.reason);
    if (!read.ok) continue;
    const sight = read.value;
    await pause();
    if (sight.kind === 'done') return confirmed(sight.externalId);
    if (sight.kind === 'deferred') return { status: 'deferred', to: sight.to };
    if (sight.kind === 'blocked') return parked(sight.reason, sight.seen);
    const isHeld = sight.kind === 'open' && askedAt !== undefined && effect.guard === 'none';
    if (sight.kind === 'pending' || isHeld) {
      if (isHeld && isPast) return parked('effect_unknown', sight.seen);
      if (askedAt === undefined || isPast) return { status: 'waiting' };
      isPast = true;
      continue;
    }
    const first = askedAt === undefined;
    askedAt ??= new Date().toISOString();
    const sent = await sight.send(soon());
    await pause();
    if (sent.ok) return confirmed(sent.value.externalId);
    if (sent.failure.kind === 'retryable') {
      if (first && sent.failure.mayHaveEffect !== true) askedAt = undefined;
      continue;
    }
    const again = await effect.see(source, now(), soon());
    if (again.ok && again.value.kind === 'done') return confirmed(again.value.externalId);
    // The shop stored it, and works on it, whatever it answered.
    if (again.ok && again.value.kind === 'pending') continue;
    return parked(sent.failure.reason);
  }
  return { status: 'waiting' };
};
