import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountId, region } from '../../../lib/tools/template/cloudformation/template.ts';
import { startContainer, type Container, type Startable } from './container.ts';

/** Starts a function of one module, to test the runtime and the leftover check. */
export const startPlanted = (source: string, { scope }: { readonly scope?: string } = {}): Promise<Container> => {
  const spec: Startable = {
    arn: `arn:aws:lambda:${region}:${accountId}:function:planted`,
    name: 'planted',
    handler: 'index.handler',
    timeoutMs: 10_000,
    memoryMb: 256,
  };
  return startContainer({
    spec,
    code: (taskRoot) => writeFile(join(taskRoot, 'index.mjs'), source),
    environment: { PATH: process.env['PATH'] ?? '' },
    scope,
  });
};
