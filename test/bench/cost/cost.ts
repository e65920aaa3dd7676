import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUsageError, readCommandLine, type Command } from '../../../lib/cli/command-line.ts';
import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { measure } from './measure.ts';
import { capacityPage } from '../capacity/page.ts';
import { costTable, withCost, type Measured, type Prices } from './table.ts';

/* npm run cost: measures what a return consumes, and writes the table of the guide. */

const command: Command = {
  call: 'npm run cost',
  about:
    'Measures what a return and the schedules consume on the local stack, computes the cost of a month from list prices,\nand writes the table of lib/guides/cost.md. It also computes test/bench/capacity.md.',
  options: {
    returns: { type: 'string', value: '<returns>', about: 'Returns to measure, 1 to 1000; default 20.' },
    computed: { type: 'boolean', about: 'Computes the table from the last measurement: after a change of prices.' },
  },
  notes:
    'test/bench/cost/prices.json has the list prices, measured.json the last measurement. It takes about 4 minutes.',
};

const files = {
  guide: 'lib/guides/cost.md',
  prices: 'test/bench/cost/prices.json',
  measured: 'test/bench/cost/measured.json',
  capacity: 'test/bench/capacity.md',
} as const;

const { values } = readCommandLine(command);
const returns = Number(values['returns'] ?? 20);
if (!Number.isInteger(returns) || returns < 1 || returns > 1_000)
  endWithUsageError(command, '--returns must be a whole number from 1 to 1000.');

const readJson = async <Content>(file: string): Promise<Content> => JSON.parse(await readFile(file, 'utf8')) as Content;

const measureNow = async (): Promise<Measured> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-cost-'));
  try {
    const root = await buildAndPackage();
    return await measure({ dataDir, root, returns, say: (text) => console.error(text) });
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
};

try {
  if (values['computed'] !== true) await writeFile(files.measured, `${JSON.stringify(await measureNow(), null, 2)}\n`);
  const [measured, prices, guide] = await Promise.all([
    readJson<Measured>(files.measured),
    readJson<Prices>(files.prices),
    readFile(files.guide, 'utf8'),
  ]);
  await writeFile(files.guide, withCost(guide, measured, prices));
  await writeFile(files.capacity, capacityPage());
  console.log(costTable(measured, prices));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
