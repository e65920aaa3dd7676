import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../lib/net/clock.ts';
import { startContainer } from '../../lib/runtime/container.ts';

afterEach(() => vi.useRealTimers());

it('gives a new container a timer of its own: one that was armed late delays no limit of the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const cancel = systemClock.after(10, () => expect.unreachable());
  cancel();
  vi.useRealTimers();
  startContainer();
  await new Promise<void>((resolve) => void systemClock.after(20, resolve));
});
