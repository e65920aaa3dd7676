import { onInterrupt, startNode, type Child } from './child.ts';

/*
 * npm run test:busy: runs `npm test` beside eight processes that take all CPU, and ends them always. What follows `--` goes
 * to vitest.
 */

const loops = 8;

/** A loop ends with its parent, also where that was killed and could end nothing. */
const loop = `const parent = process.ppid;
for (;;) {
  for (let index = 0; index < 1e8; index += 1);
  if (process.ppid !== parent) process.exit();
}`;

/** npm's own program, which runs this script. */
const npm = process.env['npm_execpath'];

const run = async (args: readonly string[]): Promise<number> => {
  if (npm === undefined) {
    console.error('Run it by npm: npm run test:busy');
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
    console.error(`${loops} busy loops run beside npm test.`);
    test = startNode([npm, 'test', ...(args.length > 0 ? ['--', ...args] : [])]);
    const code = await test.ended;
    return interrupted ?? code;
  } finally {
    for (const one of busy) one.end();
    await Promise.all(busy.map(({ ended }) => ended));
    console.error('The busy loops are ended.');
  }
};

process.exitCode = await run(process.argv.slice(2));
