import { expect, it } from 'vitest';
import { newSpanId, newTraceId } from '../../lib/runtime/trace-context.ts';

it('makes ids that are new each time, more than are drawn at once', () => {
  const spans = Array.from({ length: 2_000 }, newSpanId);
  const traces = Array.from({ length: 2_000 }, newTraceId);
  expect(spans.filter((id) => !/^[0-9a-f]{16}$/.test(id))).toEqual([]);
  expect(traces.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
  expect(new Set([...spans, ...traces]).size).toBe(4_000);
});
