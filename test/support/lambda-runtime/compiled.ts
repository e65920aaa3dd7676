import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type OutputFile } from 'esbuild';

let compiled: Promise<readonly OutputFile[]> | undefined;

/**
 * Compiles the code next to a function to JavaScript: Node would take a tenth of a second per container for the types.
 */
const compile = async (): Promise<readonly OutputFile[]> => {
  const { outputFiles } = await build({
    entryPoints: ['preload', 'addon'].map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: 'out',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // These modules are imported for their side effects.
    ignoreAnnotations: true,
    write: false,
  });
  return outputFiles;
};

/** Writes it into a new folder, and returns the file that Node starts with. */
export const writePreload = async (folder: string): Promise<string> => {
  const [files] = await Promise.all([(compiled ??= compile()), mkdir(folder)]);
  await Promise.all(files.map(({ path, contents }) => writeFile(join(folder, basename(path)), contents)));
  return join(folder, 'preload.js');
};
