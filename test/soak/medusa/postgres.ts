import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, host } from '../../../lib/tools/local/ports.ts';
import { printed } from './printed.ts';

/* PostgreSQL of this machine, with a new database for each run. */

const missing =
  'PostgreSQL is missing: install it (Debian: apt-get install postgresql), or name its folder in POSTGRES_BIN.';

/** @throws {Error} without PostgreSQL */
const binFolder = (): string => {
  const folders = [
    process.env['POSTGRES_BIN'] ?? '',
    ...globSync('/usr/lib/postgresql/*/bin').toSorted(),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  const found = folders.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new Error(missing);
  return found;
};

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** PostgreSQL does not run as root, so root starts it as the user of its package. */
const identity = () => (process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined);

/** Starts PostgreSQL, and returns the URL of its database. */
export const startPostgres = async () => {
  const bin = binFolder();
  const as = identity();
  // The folder of the run's temporary files is closed to the other user.
  const folder = await mkdtemp(join(as === undefined ? tmpdir() : '/tmp', 'returns-postgres-'));
  if (as !== undefined) await chown(folder, as.uid, as.gid);
  const options = { ...as, cwd: folder } as const;
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const data = join(folder, 'data');
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'medusa', '--auth=trust', '--no-sync', '-E', 'UTF8'], {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const port = await freePort();
    const settings = [`listen_addresses=${host}`, 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off'];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(bin, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'exit');
    await printed(child.stderr, 'ready to accept connections', ended);
    return {
      url: `postgres://medusa@${host}:${port}/postgres`,
      close: async () => {
        // Its fast shutdown: clients are disconnected.
        child.kill('SIGINT');
        await ended;
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
};
