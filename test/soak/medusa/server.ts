import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort, host } from '../../../lib/tools/local/ports.ts';
import { startPostgres } from './postgres.ts';
import { printed } from './printed.ts';

/*
 * A real Medusa. Its packages are below the data directory, by a lock file of their own: they are no dependencies of ours.
 */

const run = promisify(execFile);

const source = 'test/soak/medusa/server';
const folder = resolve('.local/medusa');

const config = `
const { defineConfig } = require('@medusajs/framework/utils');
const { DATABASE_URL, JWT_SECRET, COOKIE_SECRET } = process.env;
const http = { storeCors: '', adminCors: '', authCors: '', jwtSecret: JWT_SECRET, cookieSecret: COOKIE_SECRET };
module.exports = defineConfig({ admin: { disable: true }, projectConfig: { databaseUrl: DATABASE_URL, http } });
`;

/** Installs the packages of the lock file, unless they are there. It takes a minute to ten. */
const install = async (): Promise<void> => {
  const lock = await readFile(join(source, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  const marker = join(folder, 'installed');
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === hash) return;
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('this needs npm: npm run soak -- medusa');
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(source, file), join(folder, file));
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run(process.execPath, [npm, 'ci', ...flags], { cwd: folder });
  await writeFile(join(folder, 'medusa-config.js'), config);
  await writeFile(marker, hash);
};

const random = (): string => randomBytes(24).toString('hex');

/** Starts Medusa on a new database, with one user. */
export const startMedusa = async () => {
  await using opened = new AsyncDisposableStack();
  // Its absence is the likeliest failure, so it comes first.
  const postgres = await startPostgres();
  opened.defer(postgres.close);
  await install();
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: postgres.url,
    JWT_SECRET: random(),
    COOKIE_SECRET: random(),
    PORT: String(port),
  };
  const options = { cwd: folder, env };
  const cli = join(folder, 'node_modules/@medusajs/cli/cli.js');
  const user = { email: 'staff@example.com', password: random() };
  await run(process.execPath, [cli, 'db:migrate'], options);
  await run(process.execPath, [cli, 'user', '-e', user.email, '-p', user.password], options);
  const child = spawn(process.execPath, [cli, 'start', '--host', host], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  opened.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await printed(child.stdout, 'Server is ready', ended);
  const resources = opened.move();
  return { url: `http://${host}:${port}`, user, close: () => resources.disposeAsync() };
};
