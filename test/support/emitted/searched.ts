import assert from 'node:assert/strict';
import { afterAll } from 'vitest';
import { stackDataDir } from '../stack.ts';
import { search } from './search.ts';

/*
 * Runs after each file of a soak, which often runs its files one by one. It checks that the output so far shows no
 * secret.
 */

const maximum = 30 * 60_000;

afterAll(async () => {
  const { leaks } = await search(stackDataDir());
  assert.deepEqual(leaks, []);
}, maximum);
