import type { TestProject } from 'vitest/node';
import { buildAndPackage } from '../../lib/tools/local/bundles.ts';

/** Builds and packages both modes as a deployment would, and provides all projects with the folder. */
export const provideBundles = async (project: TestProject): Promise<string> => {
  const root = await buildAndPackage();
  project.vitest.getRootProject().provide('root', root);
  return root;
};

export default async (project: TestProject): Promise<void> => {
  await provideBundles(project);
};
