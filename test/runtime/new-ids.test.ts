import { describe, expect, it } from 'vitest';
import { decodeTime, isValid } from 'ulid';
import { newSpanId, newTraceId, newUlid } from '../../lib/runtime/new-ids.ts';

describe('new ids', () => {
  it('are ULIDs of now that never repeat, also beyond the size of a random batch', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5_000 }, () => newUlid());
    expect(ids.filter((id) => !isValid(id) || decodeTime(id) < before || decodeTime(id) > Date.now())).toEqual([]);
    expect(new Set(ids.map((id) => id.slice(10))).size).toBe(5_000);
    // Each of the random characters has each of the 32 letters.
    for (let place = 10; place < 26; place += 1) expect(new Set(ids.map((id) => id[place])).size).toBe(32);
    expect(decodeTime(newUlid(1_000))).toBe(1_000);
  });

  it('are new trace and span ids each time, also beyond the size of a random batch', () => {
    const spans = Array.from({ length: 2_000 }, newSpanId);
    const traces = Array.from({ length: 2_000 }, newTraceId);
    expect(spans.filter((id) => !/^[0-9a-f]{16}$/.test(id))).toEqual([]);
    expect(traces.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
    expect(new Set([...spans, ...traces]).size).toBe(4_000);
  });
});
