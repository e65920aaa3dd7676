import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../../lib/tools/build/bundle.ts';
import { offers } from '../../../../lib/tools/template/offer.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shaken-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Bundles sources, each as an entry point of its name. */
const bundled = async (sources: Readonly<Record<string, string>>): Promise<void> => {
  const entries = Object.keys(sources).map((name): [string, string] => [name, join(folder, `${name}.ts`)]);
  await Promise.all(entries.map(([name, file]) => writeFile(file, sources[name] ?? '')));
  await bundle(offers.standalone, { outdir: join(folder, 'out'), entries: Object.fromEntries(entries) });
};

describe('packages of a bundle', () => {
  it('have the names that a source passes on from a package', async () => {
    await bundled({
      passing: `export { ListQueuesCommand } from '@aws-sdk/client-sqs';`,
      using: `import { ListQueuesCommand } from './passing.ts';\nexport const name = ListQueuesCommand.name;`,
    });
    const { name } = (await import(pathToFileURL(join(folder, 'out/using.mjs')).href)) as { name: unknown };
    expect(name).toEqual(expect.any(String));
  });

  it('are not imported dynamically, because the names are unknown', async () => {
    const source = `export const load = () => import('@aws-sdk/client-sqs');`;
    await expect(bundled({ dynamic: source })).rejects.toThrow('import @aws-sdk/client-sqs statically');
  });

  it('have source maps that name the files of the packages', async () => {
    await bundle(offers.standalone, {
      maps: true,
      outdir: resolve('.local/shaken-maps'),
      entries: { subject: 'test/tools/build/slim/subject.ts' },
    });
    const map = resolve('.local/shaken-maps/subject.mjs.map');
    const { sources } = JSON.parse(await readFile(map, 'utf8')) as { readonly sources: readonly string[] };
    await rm(dirname(map), { recursive: true });
    // The code between the modules of a bundle has no file.
    const files = sources.filter((source) => !/^(imported|required|undici|selected):|\/packages\/chunk-/.test(source));
    expect(files.filter((source) => source.includes('/node_modules/@smithy/')).length).toBeGreaterThan(100);
    expect(files.filter((source) => !existsSync(resolve(dirname(map), source)))).toEqual([]);
  });
});
