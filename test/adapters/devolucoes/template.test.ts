import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFiles } from '../../../lib/tools/template/package/package-offer.ts';
import type { StackTemplate } from '../../../lib/tools/template/package/nested-stacks.ts';
import { openWorld } from './world.ts';

const { root } = await openWorld();

const read = async (file: string): Promise<StackTemplate> =>
  JSON.parse(await readFile(join(root, 'dist/package/adapters/devolucoes', file), 'utf8')) as StackTemplate;

describe('packaged template of the adapter devolucoes', () => {
  it.each([packageFiles.template, packageFiles.core, packageFiles.root])(
    'has no parameter without a use in %s',
    async (file) => {
      const { Parameters = {}, ...rest } = await read(packageFiles.template);
      const text = JSON.stringify(rest);
      const names = Object.keys((await read(file)).Parameters ?? {});
      expect(names).toEqual(Object.keys(Parameters));
      expect(names.filter((name) => !text.includes(`"Ref":"${name}"`) && !text.includes(`\${${name}}`))).toEqual([]);
      expect(names).toContain('ServiceUrl');
      expect(names.filter((name) => /^(Console|Hooks|Platforms|Reconcile|User|Verify|Withdraw)/.test(name))).toEqual(
        [],
      );
    },
  );
});
