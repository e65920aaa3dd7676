import { vi } from 'vitest';
import type { EffectAction } from '../../../../lib/domain/write-back/actions.ts';
import type { Effect, Sight, Wanted } from '../../../../lib/shops/platforms/effect.ts';
import type { JsonObject } from '../../../../lib/runtime/json.ts';

/*
 * The rules of the worker for one intent, and nothing else of it: no store, no lease. The clock is one that a test moves,
 * so that a wait takes no time.
 */

/** How an intent ended. `waiting`: the shop still works on it, or our return is not ready. */
export type Outcome =
  | { readonly kind: 'confirmed'; readonly externalId?: string }
  | { readonly kind: 'deferred'; readonly to: EffectAction }
  | { readonly kind: 'parked'; readonly reason: string; readonly seen?: JsonObject }
  | { readonly kind: 'waiting' };

export type Options = {
  /** The milliseconds that a request may take. */
  readonly requestMs?: number;
  /** Is called before each read and each request. */
  readonly before?: (step: 'read' | 'request') => void | Promise<void>;
};

/** Enough for the longest `settleMs`. */
const maxRounds = 40;
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** Starts the clock that `drive` moves. The system time stands still between its steps. */
export const startClock = (now: string): void => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });

/** Returns the reason of a parked intent, or how it ended. */
export const wordOf = (outcome: Outcome): string => (outcome.kind === 'parked' ? outcome.reason : outcome.kind);

const parked = (reason: string, seen: JsonObject | undefined): Outcome => ({
  kind: 'parked',
  reason,
  ...(seen !== undefined && { seen }),
});

const confirmed = (externalId: string | undefined): Outcome => ({
  kind: 'confirmed',
  ...(externalId !== undefined && { externalId }),
});

/** Carries out one intent until it ends. The next read after a lost answer is early, and those after it are late. */
export const drive = async (
  effect: Effect,
  source: string,
  wanted: Wanted,
  { requestMs = 20_000, before }: Options = {},
): Promise<Outcome> => {
  let { askedAt } = wanted;
  let hasSettled = false;
  const read = async (asked: string | undefined): Promise<Sight | undefined> => {
    await before?.('read');
    const { askedAt: _, ...unasked } = wanted;
    const sight = await effect.see(
      source,
      { ...unasked, ...(asked !== undefined && { askedAt: asked }) },
      Date.now() + 20_000,
    );
    if (sight.ok) return sight.value;
    return sight.failure.kind === 'permanent' ? { kind: 'blocked', reason: sight.failure.reason } : undefined;
  };
  for (let round = 0; round < maxRounds; round += 1) {
    const sight = await read(askedAt);
    if (sight === undefined || sight.kind === 'pending') {
      later(30_000);
      continue;
    }
    if (sight.kind === 'done') return confirmed(sight.externalId);
    if (sight.kind === 'deferred') return sight;
    if (sight.kind === 'blocked') return parked(sight.reason, sight.seen);
    if (askedAt !== undefined && effect.guard === 'none') {
      if (hasSettled) return parked('effect_unknown', sight.seen);
      hasSettled = true;
      vi.setSystemTime(Math.max(Date.now(), Date.parse(askedAt) + effect.settleMs));
      continue;
    }
    await before?.('request');
    const earlier = askedAt;
    askedAt = new Date().toISOString();
    const sent = await sight.send(Date.now() + requestMs);
    if (sent.ok) return confirmed(sent.value.externalId);
    if (sent.failure.kind === 'retryable') {
      if (sent.failure.mayHaveEffect !== true) askedAt = earlier;
      later(10_000);
      continue;
    }
    // A rejection is an answer: the shop is read as before the request.
    const again = await read(earlier);
    if (again?.kind === 'done') return confirmed(again.externalId);
    if (again !== undefined && again.kind !== 'pending')
      return parked(sent.failure.reason, 'seen' in again ? again.seen : undefined);
  }
  return { kind: 'waiting' };
};
