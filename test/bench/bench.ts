import { availableParallelism, cpus } from 'node:os';
import { endWithUsageError, readCommandLine, type Command } from '../../lib/tools/command-line/command-line.ts';
import manifest from '../../package.json' with { type: 'json' };
import { backtest } from './backtest/backtest.ts';
import { buildCandidates } from './bundle.ts';
import { cold } from './cold/cold.ts';
import { consoleBench } from './console/console.ts';
import { commands } from './commands/commands.ts';
import { growth } from './service/growth.ts';
import { guard } from './guard/guard.ts';
import { list } from './list/list.ts';
import type { BenchName } from './names.ts';
import { policy } from './policy/policy.ts';
import { cpu } from './remote.ts';
import { textOf } from './report.ts';
import type { Bench, Settings } from './settings.ts';
import { stack } from './stack/stack.ts';
import { tokenCold } from './token/cold.ts';
import { tokenCounts } from './token/counts.ts';
import { tokenFaults } from './token/faults.ts';
import { tokenSize } from './token/size.ts';
import { validate } from './validate/validate.ts';
import { tokenWarm, warm } from './warm/warm.ts';
import { webhook } from './webhook/webhook.ts';
import { writeBack } from './write-back/write-back.ts';

/*
 * npm run bench: measures this project and named alternatives, in the same run on the same machine.
 * The ratios are the result. The absolute figures depend on the machine.
 */

const benches: Readonly<Record<BenchName, Bench>> = {
  warm,
  validate,
  policy,
  backtest,
  growth,
  list,
  commands,
  webhook,
  'write-back': writeBack,
  console: consoleBench,
  stack,
  cold,
  'token-size': tokenSize,
  'token-cold': tokenCold,
  'token-counts': tokenCounts,
  'token-faults': tokenFaults,
  'token-warm': tokenWarm,
  guard,
};

/** Selects benches by name or by prefix: `token` selects all benches of the token. */
const isMeant = (name: string, selector: string): boolean => name === selector || name.startsWith(`${selector}-`);

const command = {
  call: 'npm run bench',
  about: 'Measures this project beside named alternatives, on the same machine. All benches take about an hour.',
  options: {
    rounds: { type: 'string', value: '<n>', about: 'How many rounds, in which candidates take turns.' },
    'warm-up': { type: 'string', value: '<n>', about: 'Rounds before the first that counts.' },
    invocations: { type: 'string', value: '<n>', about: 'Invocations that count, in each round.' },
    seed: { type: 'string', value: '<n>', about: 'Makes the order of candidates.' },
    store: {
      type: 'boolean',
      about: 'Stores the ratios of the guard. Commit the file with the change that explains them.',
    },
  },
  operands: {
    value: '[bench…]',
    about: 'Only these benches.',
    names: [...new Set(Object.keys(benches).flatMap((name) => [name, name.split('-')[0] ?? name]))],
  },
  notes: Object.entries(benches)
    .map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
    .join('\n'),
} satisfies Command;

const { values, operands } = readCommandLine(command);

/** Returns an option that is a whole number, or its default. */
const numberOf = (name: string, minimum: number, byDefault: number): number => {
  const value = values[name];
  if (value === undefined) return byDefault;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < minimum)
    return endWithUsageError(command, `--${name} must be a whole number from ${minimum}.`);
  return number;
};

const settingsFor = ({ defaults }: Bench): Settings => ({
  rounds: numberOf('rounds', 1, defaults.rounds),
  warmUp: numberOf('warm-up', 0, defaults.warmUp),
  invocations: numberOf('invocations', 1, defaults.invocations),
  seed: numberOf('seed', 0, defaults.seed),
  store: values['store'] === true,
});

const versions: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.devDependencies };

const conditionsOf = ({ packages }: Bench): string => {
  const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const pins = cpu === undefined ? 'no CPU to pin to' : 'candidates on one CPU, what they call on another';
  return `Node ${process.versions.node}, ${machine}, ${pins}; ${packages.map((name) => `${name} ${versions[name]}`).join(', ')}`;
};

let isBuilt = false;
for (const [name, bench] of Object.entries(benches)) {
  if (operands.length > 0 && !operands.some((selector) => isMeant(name, selector))) continue;
  const report = (progress: string) => void process.stderr.write(`${name}: ${progress}\n`);
  if (bench.unbuilt !== true && !isBuilt) {
    report('building');
    await buildCandidates();
    isBuilt = true;
  }
  const settings = settingsFor(bench);
  await using held = new AsyncDisposableStack();
  const sections = await bench.run({ settings, report, held });
  if (sections.some(({ failures = [] }) => failures.length > 0)) process.exitCode = 1;
  const parts = [`${name}: ${bench.describe(settings)}`, ...sections.map(textOf), conditionsOf(bench)];
  process.stdout.write(`\n${parts.join('\n\n')}\n`);
}
