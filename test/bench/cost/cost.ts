import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUsageError, readCommandLine, type Command } from '../../../lib/tools/command-line/command-line.ts';
import { buildAndPackage } from '../../../lib/tools/local/bundles.ts';
import { capacityTable } from '../capacity/table.ts';
import { withBlock } from './block.ts';
import { measure } from './measure.ts';
import { costBlock, costTable, type Measured, type Prices } from './table.ts';

/* npm run cost: measures what a return consumes, and writes the table of the guide. */

const command: Command = {
  call: 'npm run cost',
  about:
    'Measures what a return and the schedules consume on the local stack, computes the cost of a month from list prices,\nand writes the table of lib/tools/guides/cost.md. It also computes test/bench/capacity.md.',
  options: {
    returns: { type: 'string', value: '<returns>', about: 'Returns to measure, 1 to 1000; default 20.' },
    computed: { type: 'boolean', about: 'Computes the table from the last measurement: after a change of prices.' },
  },
  notes:
    'test/bench/cost/prices.json has the list prices, measured.json the last measurement. It takes about 4 minutes.',
};

const { values } = readCommandLine(command);
const returns = Number(values['returns'] ?? 20);
if (!Number.isInteger(returns) || returns < 1 || returns > 1_000)
  endWithUsageError(command, '--returns must be a whole number from 1 to 1000.');

const measured = 'test/bench/cost/measured.json';

const writeBlock = async (file: string, name: string, block: string): Promise<void> =>
  writeFile(file, withBlock(await readFile(file, 'utf8'), name, block));

const measureNow = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-cost-'));
  try {
    const result = await measure(dataDir, await buildAndPackage(), returns);
    await writeFile(measured, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
};

try {
  if (values['computed'] !== true) await measureNow();
  const result = JSON.parse(await readFile(measured, 'utf8')) as Measured;
  const prices = JSON.parse(await readFile('test/bench/cost/prices.json', 'utf8')) as Prices;
  await writeBlock('lib/tools/guides/cost.md', 'cost', costBlock(result, prices));
  await writeBlock('test/bench/capacity.md', 'capacity', capacityTable());
  console.log(costTable(result, prices));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
