import { vi } from 'vitest';
import { anchorChains } from '../../lib/service/schedules/anchors/anchor-chains.ts';
import type { Root } from '../../lib/domain/returns/history/merkle.ts';
import { hearLines } from './standard-output.ts';
import { contextWith } from './time.ts';

/** Anchors all histories some days from now, without its log, and returns the root. A day has one root. */
export const publishRoot = async (days = 0): Promise<Root> => {
  if (days > 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
  hearLines(() => undefined);
  const { published } = await anchorChains({}, contextWith());
  vi.restoreAllMocks();
  if (days > 0) vi.useRealTimers();
  if (published === undefined) throw new Error('nothing was anchored');
  return published;
};
