import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type OutputFile } from 'esbuild';

let compiled: Promise<readonly OutputFile[]> | undefined;

/** What runs beside a function in its process, as JavaScript: Node would take a tenth of a second in each container to read types. */
const compile = async (): Promise<readonly OutputFile[]> => {
  const { outputFiles } = await build({
    entryPoints: ['preload', 'addon'].map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: 'out',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // These are imported for nothing but what they do.
    ignoreAnnotations: true,
    write: false,
  });
  return outputFiles;
};

/** Writes it into a new folder, and says which file Node is to begin with. */
export const writePreload = async (folder: string): Promise<string> => {
  const [files] = await Promise.all([(compiled ??= compile()), mkdir(folder)]);
  await Promise.all(files.map(({ path, contents }) => writeFile(join(folder, basename(path)), contents)));
  return join(folder, 'preload.js');
};
