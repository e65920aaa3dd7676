import { describe, expect, it } from 'vitest';
import { newSpanId, newTraceId } from '../../lib/runtime/trace-context.ts';

describe('trace context', () => {
  it('creates ids that are new each time, also beyond the size of a random batch', () => {
    const spans = Array.from({ length: 2_000 }, newSpanId);
    const traces = Array.from({ length: 2_000 }, newTraceId);
    expect(spans.filter((id) => !/^[0-9a-f]{16}$/.test(id))).toEqual([]);
    expect(traces.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
    expect(new Set([...spans, ...traces]).size).toBe(4_000);
  });
});
