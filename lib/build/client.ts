import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeChanged } from './files.ts';
import { generatedIn } from './generated.ts';

type Package = Readonly<Record<'version' | 'license', string>> & {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** What the client needs of others at run time: the versions are ours. */
const needed = ['@aws-sdk/client-secrets-manager', 'undici'] as const;

const packageJson = ({ version, license, dependencies }: Package) => ({
  name: 'returns-client',
  version,
  private: true,
  description: 'A typed client of the Returns Service',
  license,
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  dependencies: Object.fromEntries(needed.map((name) => [name, dependencies[name]])),
  engines: { node: '>=24' },
});

/**
 * Writes lib/client as a package into <root>/dist/client/. What it reports goes to a diagnostics channel instead of stdout, and
 * the AWS SDK is in a part of its own, which is loaded when it is needed. Needs what is generated there.
 */
export const buildClient = async (root: string): Promise<void> => {
  const folder = join(root, 'dist/client');
  const { outputFiles } = await build({
    write: false,
    entryPoints: { index: 'lib/client/returns-client.ts' },
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['client'],
    external: [...needed],
    logLevel: 'warning',
    plugins: [generatedIn(join(root, 'dist'))],
  });
  for (const { path, contents } of outputFiles) await writeChanged(path, contents);
  const ours = JSON.parse(await readFile('package.json', 'utf8')) as Package;
  await writeChanged(`${folder}/package.json`, `${JSON.stringify(packageJson(ours), null, 2)}\n`);
  await writeChanged(`${folder}/index.d.ts`, await readFile(join(root, 'dist/contract/client.d.ts')));
};
