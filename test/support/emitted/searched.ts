import assert from 'node:assert/strict';
import { afterAll, inject } from 'vitest';
import '../stack.ts';
import { search } from './search.ts';

/*
 * Runs after each file of a soak, which often runs its files one by one. It checks that the output so far shows no
 * secret.
 */

const maximum = 30 * 60_000;

afterAll(async () => {
  const { leaks } = await search(inject('dataDir'));
  assert.deepEqual(leaks, []);
}, maximum);
