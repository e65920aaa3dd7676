import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Way } from './functions.ts';
import { runNode } from './run-node.ts';

/**
 * Packages a mode as a deployment would: <root>/dist/package/<way>/ holds its CloudFormation. osls works in .serverless/ of
 * its service's folder wherever it is told to leave its result, so each call has a folder of its own: calls can run at the
 * same time.
 */
export const packageWay = async (root: string, way: Way): Promise<void> => {
  const service = await mkdtemp(join(tmpdir(), 'returns-package-'));
  try {
    await copyFile('serverless.yml', join(service, 'serverless.yml'));
    await symlink(resolve(root, 'dist'), join(service, 'dist'));
    const result = resolve(root, 'dist/package', way);
    await runNode(
      [resolve('node_modules/.bin/osls'), 'package', '--package', result, '--param', `way=${way}`],
      service,
    );
  } finally {
    await rm(service, { recursive: true, force: true });
  }
};
