import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../lib/access/net/clock.ts';
import { startContainer } from '../../../lib/runtime/container.ts';

afterEach(() => vi.useRealTimers());

describe('container timer', () => {
  it('belongs to one container: a late timer of one delays no limit of the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const cancel = systemClock.after(10, () => expect.unreachable());
    cancel();
    vi.useRealTimers();
    startContainer();
    await new Promise<void>((resolve) => void systemClock.after(20, resolve));
  });
});
