import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseCommandLine, endWithUsageError, type Command } from '../command-line/command-line.ts';
import { areGeneratedCurrent } from './generated-hash.ts';

const command: Command = {
  call: 'npm test',
  about:
    'Checks types, style and format, and runs the tests, in about 5 minutes. With a path, runs all tests of it without\n' +
    'the checks. `npm run test:all` runs all checks and every case of every test. `npm run watch` runs the tests of\n' +
    'changed files again.',
  options: {
    all: { type: 'boolean', about: 'Runs all checks, also the slow ones, and every case of every test.' },
    watch: { type: 'boolean', about: 'Runs tests again when a file changes.' },
    'no-check': { type: 'boolean', about: 'Skips the checks of the sources.' },
    testNamePattern: { type: 'string', value: '<text>', about: 'Runs only tests whose name contains this text.' },
    reporter: { type: 'string', value: '<name>', about: 'The reporter of vitest.' },
  },
  operands: { value: '[path…]', about: 'Runs only test files whose path contains one of these texts.' },
};

/** Runs a program in this terminal and returns its exit code. */
const run = (program: string, args: readonly string[]): number =>
  spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;

/** Waits for the exit code of a program; 1 when a signal ended it. */
const ended = async (child: ChildProcess): Promise<number> => {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
};

type Check = 'lint' | 'lint:quick';

/** Checks the sources, and returns the output of the check if it fails. */
const check = async (script: Check): Promise<string | undefined> => {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [code, ...output] = await Promise.all([ended(child), text(child.stdout), text(child.stderr)]);
  return code === 0 ? undefined : output.join('');
};

/** Runs vitest in this terminal, and ends it if the check fails first. */
const runTests = async (args: readonly string[], script: Check | undefined): Promise<number> => {
  const vitest = spawn('vitest', args, { stdio: 'inherit' });
  process.once('SIGTERM', () => vitest.kill());
  const checking = script === undefined ? Promise.resolve(undefined) : check(script);
  const tested = ended(vitest);
  const early = await Promise.race([checking, tested.then(() => undefined)]);
  if (early !== undefined) vitest.kill();
  const [failure, code] = await Promise.all([checking, tested]);
  if (failure === undefined) return code;
  console.error(`${failure}\nnpm run ${script} failed: see above.`);
  return 1;
};

/** Returns the operands that match no test file: vitest would run the files of the others alone. */
const unmatched = (operands: readonly string[]): readonly string[] => {
  const files = globSync('test/**/*.test.ts').map((file) => resolve(file));
  return operands.filter((text) => !files.some((file) => file.includes(text.replace(/^\.\//, ''))));
};

const main = async (args: readonly string[]): Promise<number> => {
  const parsed = parseCommandLine(command, args);
  if (parsed.kind === 'wrong') return endWithUsageError(command, parsed.message);
  if (parsed.kind === 'help') {
    console.log(parsed.text);
    return 0;
  }
  const { values, operands } = parsed;
  const [wrong] = unmatched(operands);
  if (wrong !== undefined) return endWithUsageError(command, `no test file has ${wrong} in its path`);
  // Lint and tests read dist/. The committed files stay as they are: a test checks that they are current.
  if (!areGeneratedCurrent('dist') && run('node', ['lib/tools/build/build.ts', '--contract']) !== 0) return 1;
  // All processes of a run load the same packages.
  process.env['NODE_COMPILE_CACHE'] ??= resolve('.local/bundles/compiled');
  const isPartial = operands.length > 0;
  const isEvery = values['all'] === true || values['watch'] === true || isPartial;
  if (isEvery) process.env['EVERY_CASE'] ??= '1';
  // An option of vitest would replace all reporters, and the tests need a reporter of this repository.
  if (typeof values['reporter'] === 'string') process.env['TEST_REPORTER'] = values['reporter'];
  const pattern = values['testNamePattern'];
  const options = typeof pattern === 'string' ? [`--testNamePattern=${pattern}`] : [];
  const isChecked = !isPartial && values['watch'] !== true && values['no-check'] !== true;
  return runTests(
    [values['watch'] === true ? 'watch' : 'run', ...options, ...operands],
    isChecked ? (isEvery ? 'lint' : 'lint:quick') : undefined,
  );
};

process.exitCode = await main(process.argv.slice(2));
