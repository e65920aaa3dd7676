import { join } from 'node:path';
import { inject } from 'vitest';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { packageFiles } from '../../lib/tools/template/package/package-offer.ts';
import { readTemplate, type Template } from '../../lib/tools/template/cloudformation/template.ts';

/* What the build and osls write. A file that imports this module runs after a build of both modes. */

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of this run's bundles in dist/. No other build writes there. */
    root: string;
  }
}

/** Returns the folder that holds the dist/ of this run. */
export const bundleRoot = (): string => inject('root');

/** Returns the folder where Node keeps the compiled code of this run's programs. */
export const compileCache = (): string => join(bundleRoot(), 'dist/compiled');

/** Returns a file of the package of a mode. */
export const packageFile = (mode: Mode, file: string): string => join(bundleRoot(), 'dist/package', mode, file);

const templates = new Map<Mode, Promise<Template>>();

/** Returns the CloudFormation template that osls wrote for a mode. A worker reads its two megabytes once. */
export const packagedTemplate = async (mode: Mode): Promise<Template> => {
  const template = templates.get(mode) ?? readTemplate(packageFile(mode, packageFiles.template));
  templates.set(mode, template);
  return template;
};

/** Returns the bundle of a function. */
export const functionBundle = (mode: Mode, name: string): string => join(bundleRoot(), 'dist', mode, name, 'index.mjs');
