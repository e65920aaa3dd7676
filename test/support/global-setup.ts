import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildAndPackage } from '../../lib/local/bundles.ts';
import { startStack } from '../../lib/local/stack.ts';
import { callRecordIn, timeScale } from './stack.ts';

/** Builds and packages both modes as a deployment would, and starts the stack that the test files share. */
export default async (project: TestProject) => {
  const root = await buildAndPackage();
  // Test files start their own engines. In a shared engine, their tables would collide.
  Reflect.deleteProperty(process.env, 'AWS_ENDPOINT_URL_DYNAMODB');
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-'));
  // Streams and schedules would process the data of thousands of tests, which takes their time. Tests of them use their
  // own stack.
  const still = { streams: false, schedules: false };
  const stack = await startStack({
    dataDir,
    root,
    ...still,
    timeScale,
    callRecord: callRecordIn(dataDir),
  });
  project.provide('stack', stack.info);
  project.provide('dataDir', dataDir);
  project.provide('root', root);
  return async () => {
    await stack.close();
    // Stacks of workers may write into it until their processes have ended.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
};
