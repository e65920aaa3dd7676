import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAndPackage } from '../../lib/tools/local/bundles.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { startStack } from '../../lib/tools/local/stack.ts';
import type { StackOptions } from '../../lib/tools/local/stack-options.ts';
import { tokenOf } from '../support/api.ts';

/** Starts a local stack in this process until `held` is disposed, with a token for all operations. */
export const openStack = async (
  held: AsyncDisposableStack,
  options: Partial<StackOptions> = {},
): Promise<{ readonly info: StackInfo; readonly token: string }> => {
  const root = await buildAndPackage();
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  held.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { info, close } = await startStack({ dataDir, root, streams: false, ...options });
  held.defer(close);
  return { info, token: await tokenOf('returns-admin', info) };
};
