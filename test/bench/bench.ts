import { availableParallelism, cpus } from 'node:os';
import { endWithUsageError, readCommandLine, type Command } from '../../lib/cli/command-line.ts';
import manifest from '../../package.json' with { type: 'json' };
import { twoCpus } from './remote.ts';
import type { BenchName } from './names.ts';
import { textOf } from './report.ts';
import type { Bench, Settings } from './settings.ts';
import { backtest } from './backtest/backtest.ts';
import { cold } from './cold/cold.ts';
import { consoleBench } from './console/console.ts';
import { commands } from './commands/commands.ts';
import { growth } from './growth/growth.ts';
import { guard } from './guard/guard.ts';
import { list } from './list/list.ts';
import { policy } from './policy/policy.ts';
import { service } from './service/service.ts';
import { stack } from './stack/stack.ts';
import { tokenCold } from './token/cold.ts';
import { tokenCounts } from './token/counts.ts';
import { tokenFaults } from './token/faults.ts';
import { tokenSize } from './token/size.ts';
import { tokenWarm } from './token/warm.ts';
import { validate } from './validate/validate.ts';
import { warm } from './warm/warm.ts';
import { webhook } from './webhook/webhook.ts';

/*
 * npm run bench: measures this project and named alternatives, in the same run on the same machine.
 * The ratios are the result. The absolute figures depend on the machine.
 */

const benches: Readonly<Record<BenchName, Bench>> = {
  warm,
  validate,
  policy,
  backtest,
  service,
  growth,
  list,
  commands,
  webhook,
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

/** The valid arguments: the name of each bench, and the common prefixes. */
const names = [...new Set(Object.keys(benches).flatMap((name) => [name, name.split('-')[0] ?? name]))];

const command = {
  call: 'npm run bench',
  about: 'Measures this project beside named alternatives, on the same machine. All benches take about an hour.',
  options: {
    rounds: { type: 'string', value: '<n>', about: 'How many rounds, in which candidates take turns.' },
    'warm-up': { type: 'string', value: '<n>', about: 'Invocations before the first that counts.' },
    invocations: { type: 'string', value: '<n>', about: 'Invocations that count, in each round.' },
    seed: { type: 'string', value: '<n>', about: 'Makes the order of candidates.' },
    json: { type: 'boolean', about: 'Prints the results as JSON.' },
    store: {
      type: 'boolean',
      about: 'Stores the ratios of the guard. Commit the file with the change that explains them.',
    },
  },
  operands: { value: '[bench…]', about: 'Only these benches.', names },
  notes: Object.entries(benches)
    .map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
    .join('\n'),
} satisfies Command;

const wholeNumber = (name: string, value: string | undefined, minimum: number): number | undefined => {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < minimum)
    return endWithUsageError(command, `--${name} must be a whole number from ${minimum}.`);
  return number;
};

const readArguments = () => {
  const { values, operands } = readCommandLine(command);
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const settingsFor = ({ defaults }: Bench): Settings => ({
    rounds: wholeNumber('rounds', text('rounds'), 1) ?? defaults.rounds,
    warmUp: wholeNumber('warm-up', text('warm-up'), 0) ?? defaults.warmUp,
    invocations: wholeNumber('invocations', text('invocations'), 1) ?? defaults.invocations,
    seed: wholeNumber('seed', text('seed'), 0) ?? defaults.seed,
    store: values['store'] === true,
  });
  return { operands, json: values['json'] === true, settingsFor };
};

const versions: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.devDependencies };

const conditions = () => ({
  node: process.versions.node,
  cpu: `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  pinned: twoCpus() !== undefined,
});

const conditionsText = ({ packages }: Bench): string => {
  const { node, cpu, pinned } = conditions();
  const pins = pinned ? 'candidates on one CPU, what they call on another' : 'no CPU to pin to';
  return `Node ${node}, ${cpu}, ${pins}; ${packages.map((name) => `${name} ${versions[name]}`).join(', ')}`;
};

type Arguments = ReturnType<typeof readArguments>;

const run = async ({ operands, json, settingsFor }: Arguments): Promise<void> => {
  const results = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (operands.length > 0 && !operands.some((selector) => isMeant(name, selector))) continue;
    const settings = settingsFor(bench);
    const sections = await bench.run(settings, (progress) => process.stderr.write(`${name}: ${progress}\n`));
    if (sections.some(({ failures = [] }) => failures.length > 0)) process.exitCode = 1;
    results.push({ name, settings, sections: sections.map(({ title, data }) => ({ title, data })) });
    if (json) continue;
    const parts = [`${name}: ${bench.describe(settings)}`, ...sections.map(textOf), conditionsText(bench)];
    process.stdout.write(`\n${parts.join('\n\n')}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify({ ...conditions(), versions, results }, null, 2)}\n`);
};

await run(readArguments());
