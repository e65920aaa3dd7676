import { spawnSync } from 'node:child_process';
import { parseCommandLine, endWithUsageError, type Command } from '../command-line.ts';

type Suite = { readonly about: string; readonly vitest: readonly string[]; readonly filter?: boolean };

const soakConfig = ['--config', 'vitest.soak.config.ts'];

const suites: Readonly<Record<string, Suite>> = {
  test: { about: 'Checks the sources, then runs every test. Takes some minutes.', vitest: [] },
  coverage: { about: 'Runs every test and counts what they cover. Takes some minutes.', vitest: ['--coverage'] },
  soak: { about: 'Runs the long tests. Takes half an hour or more.', vitest: soakConfig },
  fuzz: {
    about: 'Sends 100,000 generated requests to both modes, or FUZZ_REQUESTS. Takes half an hour or more.',
    vitest: [...soakConfig, 'test/soak/generated.soak.ts'],
    filter: false,
  },
};

const commandOf = (name: string, { about, filter = true }: Suite): Command => ({
  call: name === 'test' ? 'npm test' : `npm run ${name}`,
  about,
  options: {
    ...(name === 'test' && { 'no-check': { type: 'boolean', about: 'Leaves out the checks of the sources.' } }),
    testNamePattern: { type: 'string', value: '<text>', about: 'Only tests whose name holds this text.' },
    reporter: { type: 'string', value: '<name>', about: 'How vitest reports.' },
  },
  ...(filter && { operands: { value: '[file…]', about: 'Only test files whose path holds one of these texts.' } }),
});

/** Runs a program in this terminal and returns its exit code. */
const run = (program: string, args: readonly string[], env = process.env): number =>
  spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;

const main = (name: string, args: readonly string[]): number => {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`there is no suite ${name}`);
  const command = commandOf(name, suite);
  const parsed = parseCommandLine(command, args);
  if (parsed.kind === 'wrong') return endWithUsageError(command, parsed.message);
  if (parsed.kind === 'help') {
    console.log(parsed.text);
    return 0;
  }
  const { values, operands } = parsed;
  if (name === 'test' && values['no-check'] !== true) {
    const code = run('npm', ['run', 'check']);
    if (code !== 0) return code;
  }
  const options = ['testNamePattern', 'reporter'].flatMap((option) =>
    typeof values[option] === 'string' ? [`--${option}`, values[option]] : [],
  );
  const env = name === 'fuzz' ? { FUZZ_REQUESTS: '100000', ...process.env } : process.env;
  return run('vitest', ['run', ...suite.vitest, ...options, ...operands], env);
};

const [name = '', ...args] = process.argv.slice(2);
process.exitCode = main(name, args);
