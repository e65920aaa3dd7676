import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventPatterns, type EventType, eventTypes } from '../../../lib/contract/events/event-types.ts';
import {
  type Endpoint,
  type EndpointSecret,
  failedBeforeEnabling,
  patchEndpoint,
  subscribesTo,
} from '../../../lib/domain/events/endpoint.ts';
import { liveSecrets, rotateSecrets } from '../../../lib/domain/events/retry.ts';
import type { Event } from '../../../lib/domain/returns/history/entry.ts';

/** Fails to compile when a history has an event type that no endpoint can subscribe to. An import is never published. */
type Known<Type extends EventType> = Type;
export type OfHistory = Known<Exclude<Event['type'], 'return.imported'>>;

const begin = Date.parse('2026-11-22T08:00:00Z');
const hour = 3_600_000;

describe('endpoint', () => {
  it('signs with one or two secrets at any time, the newest first, after any number of rotations', () => {
    const change = fc.record({
      afterMs: fc.nat(100 * hour),
      overlapMs: fc.constantFrom(0, hour, 24 * hour, 72 * hour),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        let secrets: readonly EndpointSecret[] = rotateSecrets([], randomBytes(32), begin, 0);
        let now = begin;
        for (const { afterMs, overlapMs } of changes) {
          const [before] = secrets;
          now += afterMs;
          secrets = rotateSecrets(secrets, randomBytes(32), now, overlapMs);
          const [fresh, old] = secrets;
          expect(fresh?.expiresAt).toBeUndefined();
          expect(new Date(fresh?.createdAt ?? 0) > new Date(before?.createdAt ?? 0)).toBe(true);
          expect(old?.secret).toBe(overlapMs === 0 ? undefined : before?.secret);
          expect(liveSecrets(secrets, now + overlapMs - 1)).toHaveLength(overlapMs === 0 ? 1 : 2);
          expect(liveSecrets(secrets, now + overlapMs)).toEqual([fresh]);
        }
      }),
      { seed: 1 },
    );
  });

  const endpoint: Endpoint = {
    id: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3',
    url: 'https://hooks.example.com/returns',
    description: 'The shop',
    eventTypes: ['*'],
    createdAt: '2026-11-22T08:00:00.000Z',
    updatedAt: '2026-11-22T08:00:00.000Z',
    version: 7,
    begins: [],
  };
  const at = '2026-11-23T08:00:00.000Z';

  it('keeps its version where a patch changes nothing, so that the same patch twice is one change', () => {
    const patch = fc.record(
      {
        url: fc.constantFrom(endpoint.url, 'https://hooks.example.com/other'),
        eventTypes: fc.constantFrom(['*'], ['return.*']),
        description: fc.constantFrom('The shop', 'Another', null),
        enabled: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(patch, (changes) => {
        const once = patchEndpoint(endpoint, changes, at);
        expect(once.version).toBe(once === endpoint ? 7 : 8);
        expect(patchEndpoint(once, changes, '2026-11-24T08:00:00.000Z')).toBe(once);
        expect(once.disabled).toEqual(changes.enabled === false ? { at, reason: 'requested' } : undefined);
        expect('description' in once).toBe(changes.description !== null);
      }),
      { seed: 1 },
    );
  });

  it('stores the reason while it is disabled, and removes it when it is enabled', () => {
    const unreachable: Endpoint = { ...endpoint, disabled: { at, reason: 'gone' } };
    expect(patchEndpoint(unreachable, { enabled: false }, at)).toBe(unreachable);
    expect(patchEndpoint(unreachable, { enabled: true }, at)).toEqual({
      ...endpoint,
      enabledAt: at,
      updatedAt: at,
      version: 8,
    });
  });

  it('allows only patterns that match an event type', () => {
    expect(eventTypes).toEqual(eventTypes.toSorted());
    expect(new Set(eventTypes).size).toBe(eventTypes.length);
    for (const pattern of eventPatterns())
      expect([pattern, eventTypes.some((type) => subscribesTo({ eventTypes: [pattern] }, type))]).toEqual([
        pattern,
        true,
      ]);
    expect(subscribesTo({ eventTypes: ['refund.*'] }, 'return.approved')).toBe(false);
    expect(subscribesTo({ eventTypes: ['return.*'] }, 'returns.approved')).toBe(false);
  });

  it('ignores failures from before it was enabled again', () => {
    const enabledAt = '2026-11-22T12:00:00.000Z';
    const at = Date.parse(enabledAt);
    expect(failedBeforeEnabling({ enabledAt }, at - 1, at)).toBe(true);
    expect(failedBeforeEnabling({ enabledAt }, at, at)).toBe(false);
    expect(failedBeforeEnabling({ enabledAt }, undefined, at)).toBe(false);
    expect(failedBeforeEnabling({}, at, at)).toBe(false);
    // By a clock that ran ahead.
    expect(failedBeforeEnabling({ enabledAt }, at - 2, at - 1)).toBe(false);
  });
});
