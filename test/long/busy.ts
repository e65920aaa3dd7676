import { join } from 'node:path';
import { onInterrupt, startNode } from './child.ts';

/*
 * npm run test:busy: runs `npm test` while eight processes use all CPUs, and always ends them.
 * vitest gets the arguments after `--`.
 */

/** The npm program that runs this script. */
const npm = process.env['npm_execpath'];

const run = async (args: readonly string[]): Promise<number> => {
  if (npm === undefined) {
    console.error('Run this with npm: npm run test:busy');
    return 2;
  }
  const underLoad = join(import.meta.dirname, 'under-load.ts');
  const test = startNode([underLoad, npm, 'test', ...(args.length > 0 ? ['--', ...args] : [])]);
  let interrupted: number | undefined;
  onInterrupt((exitCode) => {
    interrupted = exitCode;
    console.error('\nEnding …');
    test.end();
  });
  const code = await test.ended;
  console.error('The busy loops have ended.');
  return interrupted ?? code;
};

process.exitCode = await run(process.argv.slice(2));
