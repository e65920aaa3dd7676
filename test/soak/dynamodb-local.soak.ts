import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Runs vitest on test files with DynamoDB Local as the engine of all stacks. The output goes to the terminal. */
const run = async (...paths: readonly string[]): Promise<number | null> => {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...paths], {
    stdio: 'inherit',
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      JAVA_HOME: process.env['JAVA_HOME'],
      RETURNS_ENGINE: 'dynamodb-local',
    },
  });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
};

describe('AWS’s DynamoDB Local', () => {
  test('passes the tests of the store, and of the contract in both modes', async () => {
    const files = globSync('test/{store,contract}/**/*.test.ts');
    // DynamoDB Local counts an index write of a transaction twice.
    expect(await run(...files.filter((file) => !file.endsWith('capacity.test.ts')))).toBe(0);
  });
});
