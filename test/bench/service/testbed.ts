import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Driver } from '../driver.ts';
import type { Environment, Outside } from '../outside.ts';
import { startAway, startBeside, type Remote } from '../remote.ts';
import type { Report } from '../settings.ts';

/** The stored items of a place before the measurement. */
export type Stock = { readonly returns: number; readonly entries: number };

/** A table with this number of returns, the environment of its functions, and a driver of these. */
export type Testbed = {
  readonly returns: number;
  readonly environment: Environment;
  readonly driver: Remote<Driver>;
};

const folder = '.local/bench';
/** The version of the seeded items. A new version invalidates older files. */
const shape = 3;

const open = async (held: AsyncDisposableStack, dataDir: string, returns: number): Promise<Testbed> => {
  const outside = held.use(startAway<Outside>('outside.ts'));
  const { standalone: environment } = await outside.call('deployed', { dataDir });
  return { returns, environment, driver: held.use(startBeside<Driver>('driver.ts', { environment })) };
};

/** Returns the folder of a table with this stock, and fills a missing one. Later runs reuse it. */
const stocked = async (stock: Stock, report: Report): Promise<string> => {
  const dataDir = join(folder, `service-${stock.returns}`);
  const seeded = join(dataDir, 'seeded.json');
  const wanted = JSON.stringify({ shape, ...stock });
  if ((await readFile(seeded, 'utf8').catch(() => '')) === wanted) return dataDir;
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const startedAt = performance.now();
  await using held = new AsyncDisposableStack();
  const { driver } = await open(held, dataDir, stock.returns);
  const items = await driver.call('seed', stock);
  await writeFile(seeded, wanted);
  report(`${stock.returns} returns, ${items} items seeded in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return dataDir;
};

/** Opens a copy of a stock until `held` is disposed, because the measured operations write. */
export const openTestbed = async (held: AsyncDisposableStack, stock: Stock, report: Report): Promise<Testbed> => {
  const stockFolder = await stocked(stock, report);
  const copy = `${stockFolder}-run`;
  await rm(copy, { recursive: true, force: true });
  await cp(stockFolder, copy, { recursive: true });
  held.defer(async () => rm(copy, { recursive: true, force: true }));
  return open(held, copy, stock.returns);
};
