import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startStack } from '../../lib/tools/local/stack.ts';
import { provideBundles } from './bundles-setup.ts';
import { openScope } from './emitted/record.ts';
import { timeScale } from './slow-limits.ts';
import { callRecordIn } from './stack.ts';

/** Starts the stack that the test files share, on a new build. */
export default async (project: TestProject) => {
  const root = await provideBundles(project);
  // Test files start their own engines. In a shared engine, their tables would collide.
  Reflect.deleteProperty(process.env, 'AWS_ENDPOINT_URL_DYNAMODB');
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-'));
  openScope(dataDir);
  // Streams and schedules would process the data of thousands of tests, which takes their time. Tests of them use their
  // own stack.
  const still = { streams: false, schedules: false };
  const stack = await startStack({
    dataDir,
    root,
    ...still,
    timeScale,
    callRecord: callRecordIn(dataDir),
    writeBack: 'shopify',
  });
  const all = project.vitest.getRootProject();
  all.provide('stack', stack.info);
  all.provide('dataDir', dataDir);
  return async () => {
    await stack.close();
    // Stacks of workers may write into it until their processes have ended.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
};
