import { vi } from 'vitest';
import type { Effect, Sight, Wanted } from '../../../../lib/shops/platforms/effect.ts';
import type { ShopFailure } from '../../../../lib/shops/platforms/platform.ts';
import type { JsonObject } from '../../../../lib/runtime/json.ts';

/*
 * The rules of the worker for one intent, and nothing else of it: no store, no lease. The clock is one that a test moves,
 * so that a wait takes no time.
 */

export type Outcome =
  | { readonly kind: 'confirmed'; readonly externalId?: string; readonly deferredTo?: string }
  | { readonly kind: 'parked'; readonly reason: string; readonly seen?: JsonObject };

type Options = {
  /** The milliseconds that a request may take. */
  readonly requestMs?: number;
  /** Is called before a request is sent, and before each read. */
  readonly between?: () => void;
};

const maxRounds = 100;
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const parked = (reason: string, seen: JsonObject | undefined): Outcome => ({
  kind: 'parked',
  reason,
  ...(seen !== undefined && { seen }),
});

/** Starts the clock that `drive` moves. The system time stands still between its steps. */
export const startClock = (now: string): void => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });

/** Carries out one intent until it is confirmed or parked. */
export const drive = async (
  effect: Effect,
  source: string,
  first: Wanted,
  { requestMs = 20_000, between }: Options = {},
): Promise<Outcome> => {
  let askedAt = first.askedAt;
  let rejection: ShopFailure | undefined;
  let hasSettled = false;
  const read = async (): Promise<Sight | undefined> => {
    between?.();
    const sight = await effect.see(
      source,
      { ...first, ...(askedAt !== undefined && { askedAt }) },
      Date.now() + 20_000,
    );
    if (sight.ok) return sight.value;
    if (sight.failure.kind === 'permanent') return { kind: 'blocked', reason: sight.failure.reason };
    return undefined;
  };
  for (let round = 0; round < maxRounds; round += 1) {
    const sight = await read();
    if (sight === undefined || sight.kind === 'pending') {
      later(30_000);
      continue;
    }
    if (sight.kind === 'done') return { kind: 'confirmed', ...(sight.externalId && { externalId: sight.externalId }) };
    if (sight.kind === 'deferred') return { kind: 'confirmed', deferredTo: sight.to };
    if (sight.kind === 'blocked') return parked(sight.reason, sight.seen);
    if (rejection !== undefined) return parked(rejection.reason, sight.seen);
    if (askedAt !== undefined && effect.guard === 'none') {
      if (hasSettled) return parked('effect_unknown', sight.seen);
      hasSettled = true;
      vi.setSystemTime(Math.max(Date.now(), Date.parse(askedAt) + effect.settleMs));
      continue;
    }
    const at = new Date().toISOString();
    const sent = await sight.send(Date.now() + requestMs);
    if (sent.ok) return { kind: 'confirmed', ...(sent.value.externalId && { externalId: sent.value.externalId }) };
    if (sent.failure.mayHaveEffect === true) askedAt = at;
    else if (sent.failure.kind === 'permanent') rejection = sent.failure;
    else later(10_000);
  }
  throw new Error(`the intent ${first.action} was not over after ${maxRounds} reads`);
};
