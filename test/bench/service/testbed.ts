import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import type { Driver } from './driver.ts';
import type { Environment, Outside } from './outside.ts';
import type { Seeder } from './seeder.ts';

/** The stored items of a place before the measurement. */
export type Stock = { readonly returns: number; readonly entries: number };

export type Pins = { readonly cpu: number | undefined; readonly outsideCpu: number | undefined };

/** A table with this number of returns, and the environment of the functions. */
export type Tables = { readonly returns: number; readonly environment: Environment };

/** A table, and the driver that measures it. */
export type Testbed = Tables & { readonly driver: Remote<Driver> };

const folder = '.local/bench';
/** The version of the seeded items. A new version invalidates older files. */
const shape = 3;

const startOutside = async (dataDir: string, { outsideCpu }: Pins) => {
  const outside = startRemote<Outside>('service/outside.ts', { environment: process.env, cpu: outsideCpu });
  return { outside, environment: await outside.call('start', { dataDir }) };
};

const isSeeded = async (dataDir: string, wanted: string): Promise<boolean> =>
  readFile(join(dataDir, 'seeded.json'), 'utf8').then(
    (found) => found === wanted,
    () => false,
  );

/** Returns the folder of a table with this stock, and fills a missing one. Later runs reuse it. */
const stocked = async (stock: Stock, pins: Pins, report: (progress: string) => void): Promise<string> => {
  const dataDir = join(folder, `service-${stock.returns}`);
  const wanted = JSON.stringify({ shape, ...stock });
  if (await isSeeded(dataDir, wanted)) return dataDir;
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const startedAt = performance.now();
  const { outside, environment } = await startOutside(dataDir, pins);
  await using _ = outside;
  await using seeder = startRemote<Seeder>('service/seeder.ts', { environment, cpu: pins.cpu });
  const items = await seeder.call('seed', stock);
  await writeFile(join(dataDir, 'seeded.json'), wanted);
  report(`${stock.returns} returns, ${items} items seeded in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return dataDir;
};

/** Opens a copy of a stock, because the measured operations write. */
export const openTables = async (
  held: AsyncDisposableStack,
  stock: Stock,
  pins: Pins,
  report: (progress: string) => void,
): Promise<Tables> => {
  const stockFolder = await stocked(stock, pins, report);
  const copy = `${stockFolder}-run`;
  await rm(copy, { recursive: true, force: true });
  await cp(stockFolder, copy, { recursive: true });
  held.defer(async () => rm(copy, { recursive: true, force: true }));
  const { outside, environment } = await startOutside(copy, pins);
  held.use(outside);
  return { returns: stock.returns, environment };
};

/** Opens a copy of a stock with a driver. */
const openTestbed = async (
  held: AsyncDisposableStack,
  stock: Stock,
  pins: Pins,
  report: (progress: string) => void,
): Promise<Testbed> => {
  const tables = await openTables(held, stock, pins, report);
  const driver = held.use(startRemote<Driver>('service/driver.ts', { environment: tables.environment, cpu: pins.cpu }));
  return { ...tables, driver };
};

/** Opens a copy of each stock with a driver, candidates on one CPU and the engines on another. */
export const openTestbeds = async (
  held: AsyncDisposableStack,
  stocks: readonly Stock[],
  report: (progress: string) => void,
) => {
  const [cpu, outsideCpu] = twoCpus() ?? [];
  const pins: Pins = { cpu, outsideCpu };
  const testbeds: Testbed[] = [];
  for (const stock of stocks) testbeds.push(await openTestbed(held, stock, pins, report));
  return { pins, testbeds, stored: testbeds.map(({ returns }) => returns) };
};
