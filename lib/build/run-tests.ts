import { spawnSync } from 'node:child_process';
import { parseCommandLine, endWithUsageError, type Command } from '../cli/command-line.ts';

const command: Command = {
  call: 'npm test',
  about: 'Checks the sources, then runs every test. Takes some minutes.',
  options: {
    'no-check': { type: 'boolean', about: 'Leaves out the checks of the sources.' },
    testNamePattern: { type: 'string', value: '<text>', about: 'Only tests whose name holds this text.' },
    reporter: { type: 'string', value: '<name>', about: 'How vitest reports.' },
  },
  operands: { value: '[file…]', about: 'Only test files whose path holds one of these texts.' },
};

/** Runs a program in this terminal and returns its exit code. */
const run = (program: string, args: readonly string[]): number =>
  spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;

const main = (args: readonly string[]): number => {
  const parsed = parseCommandLine(command, args);
  if (parsed.kind === 'wrong') return endWithUsageError(command, parsed.message);
  if (parsed.kind === 'help') {
    console.log(parsed.text);
    return 0;
  }
  const { values, operands } = parsed;
  if (values['no-check'] !== true) {
    const code = run('npm', ['run', 'check']);
    if (code !== 0) return code;
  }
  // An option of vitest would replace all reporters, and two of ours do work that the tests need.
  if (typeof values['reporter'] === 'string') process.env['TEST_REPORTER'] = values['reporter'];
  const pattern = values['testNamePattern'];
  return run('vitest', ['run', ...(typeof pattern === 'string' ? [`--testNamePattern=${pattern}`] : []), ...operands]);
};

process.exitCode = main(process.argv.slice(2));
