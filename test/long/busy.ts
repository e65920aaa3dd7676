import { onInterrupt, startNode, type Child } from './child.ts';

/*
 * npm run test:busy: runs `npm test` while eight processes use all CPUs, and always ends them.
 * vitest gets the arguments after `--`.
 */

const loops = 8;

/** A busy loop that ends with its parent, even after a SIGKILL. */
const loop = `const parent = process.ppid;
for (;;) {
  for (let index = 0; index < 1e8; index += 1);
  if (process.ppid !== parent) process.exit();
}`;

/** The npm program that runs this script. */
const npm = process.env['npm_execpath'];

const run = async (args: readonly string[]): Promise<number> => {
  if (npm === undefined) {
    console.error('Run this with npm: npm run test:busy');
    return 2;
  }
  const busy: Child[] = [];
  let test: Child | undefined;
  let interrupted: number | undefined;
  onInterrupt((exitCode) => {
    interrupted = exitCode;
    console.error('\nEnding …');
    test?.end();
  });
  try {
    for (let index = 0; index < loops; index += 1) busy.push(startNode(['--eval', loop]));
    console.error(`${loops} busy loops run during npm test.`);
    test = startNode([npm, 'test', ...(args.length > 0 ? ['--', ...args] : [])]);
    const code = await test.ended;
    return interrupted ?? code;
  } finally {
    for (const one of busy) one.end();
    await Promise.all(busy.map(({ ended }) => ended));
    console.error('The busy loops have ended.');
  }
};

process.exitCode = await run(process.argv.slice(2));
