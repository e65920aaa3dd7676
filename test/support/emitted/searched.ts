import assert from 'node:assert/strict';
import { afterAll, inject } from 'vitest';
import '../stack.ts';
import { search } from './search.ts';

/* After each file of a soak, whose files are run one by one as often as not: nothing that was emitted until now shows a secret. */

const maximum = 30 * 60_000;

afterAll(async () => {
  const { leaks } = await search(inject('dataDir'));
  assert.deepEqual(leaks, []);
}, maximum);
