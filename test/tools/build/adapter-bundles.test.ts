import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { weightOf } from '../../../lib/tools/build/weight.ts';
import { openBundles } from '../../../lib/tools/local/bundles.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { bundleRoot } from '../../support/bundles.ts';

/* A read behind an adapter is about as large as one that passes bytes through. */

let root = '';
beforeAll(async () => {
  const read = await readAdapter('devolucoes');
  if (!read.ok) throw new Error(read.failure);
  ({ root } = await openBundles({ offer: read.value.offer }));
});

describe('the bundle of the adapter devolucoes', () => {
  it.each([
    ['health', 0],
    ['listReturns', 0],
    // Its mapping, and the check of its answer; own forwards them.
    ['listReasons', 1_020],
    // The check of a whole return, its amounts, and the table of states.
    ['getReturn', 4_200],
  ])('has a %s that is at most %i bytes larger than that of own', (name, more) => {
    const own = weightOf(join(bundleRoot(), 'dist/connected', name)).gzipped;
    const ours = weightOf(join(root, 'dist/adapters/devolucoes', name)).gzipped;
    expect(ours - own).toBeLessThanOrEqual(more);
  });
});
