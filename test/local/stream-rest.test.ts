import { describe, expect, test } from 'vitest';
import { openWrites } from '../../lib/local/streams/poller.ts';
import { startWorld } from './stream-world.ts';

const never = new AbortController().signal;

describe('writes of a mode', () => {
  test('end the wait of each reader that does not know them', async () => {
    const writes = openWrites();
    const waiting = [writes.after(writes.count(), 60_000, never), writes.after(writes.count(), 60_000, never)];
    writes.note();
    // A write before the wait is not missed.
    waiting.push(writes.after(0, 60_000, never));
    await expect(Promise.all(waiting)).resolves.toHaveLength(3);
  });

  test('end no wait of a reader that knows them: the time or the signal does', async () => {
    const writes = openWrites();
    writes.note();
    const stop = new AbortController();
    const waiting = [writes.after(writes.count(), 1, never), writes.after(writes.count(), 60_000, stop.signal)];
    stop.abort();
    waiting.push(writes.after(writes.count(), 60_000, stop.signal));
    await expect(Promise.all(waiting)).resolves.toHaveLength(3);
  });
});

describe('stream poller of a table whose writes it knows', () => {
  test('reads after a write, and else once in five seconds', async () => {
    const writes = openWrites();
    const world = await startWorld();
    const startedAt = performance.now();
    const { batches } = await world.startPolling(() => null, { writes });
    for (const name of ['1', '2', '3']) {
      await world.put('a', name);
      writes.note();
      await expect.poll(() => batches().flat()).toContain(`a/${name}`);
    }
    // Two reads for each write: one with the record, and one that finds no more.
    const rests = Math.floor((performance.now() - startedAt) / 5_000);
    expect(world.reads()).toBeLessThanOrEqual(2 * 3 + 2 + rests);
  });
});
