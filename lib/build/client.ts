import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

type Package = Readonly<Record<'version' | 'license', string>> & {
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
};

const folder = 'dist/client';

/** What the client needs of others at run time: the versions are ours. */
const needed = ['@aws-sdk/client-secrets-manager', 'undici'] as const;

const packageJson = ({ version, license, engines, dependencies }: Package) => ({
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
  engines,
});

/**
 * Writes lib/client as a package into dist/client/. What it reports goes to a diagnostics channel instead of stdout, and
 * the AWS SDK is in a part of its own, which is loaded when it is needed. Needs the types in dist/contract/.
 */
export const buildClient = async (): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await build({
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
  });
  const ours = JSON.parse(await readFile('package.json', 'utf8')) as Package;
  await writeFile(`${folder}/package.json`, `${JSON.stringify(packageJson(ours), null, 2)}\n`);
  await copyFile('dist/contract/client.d.ts', `${folder}/index.d.ts`);
};
