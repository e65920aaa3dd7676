import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClosers } from '../../../lib/local/json-file.ts';
import { testCertificate } from '../../support/certificate.ts';
import { offer } from '../remote.ts';
import { startWorld, type World } from '../world.ts';
import { oneWay } from './distances.ts';
import { type Environment, environmentOf } from './environment.ts';
import { startRoundTrips } from './round-trips.ts';

/* The dependencies of the connected mode in a separate process, so that they use no time of the candidates. */

/** `near`: on this machine. `far`: with the round trips from Lambda, over TLS. */
export type Distance = 'near' | 'far';

export type Outside = {
  /** Starts the dependencies and returns the environment of the candidates. */
  readonly start: (distance: Distance) => Promise<Environment>;
};

const closers = openClosers();

const started = async (world: World): Promise<World['origins']> => {
  closers.add(async () => world[Symbol.asyncDispose]());
  return world.origins;
};

const startNear = async (): Promise<Environment> => environmentOf(await started(await startWorld()));

const day = 24 * 60 * 60_000;

const startFar = async (): Promise<Environment> => {
  const identity = testCertificate('bench', Date.now() - day, Date.now() + day);
  const directory = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  closers.add(() => rm(directory, { recursive: true, force: true }));
  const authorities = join(directory, 'ca.pem');
  await writeFile(authorities, identity.certificate);
  const origins = await started(await startWorld(identity));
  const away = async (name: keyof World['origins']): Promise<string> => {
    const { origin, close } = await startRoundTrips(origins[name], oneWay[name]);
    closers.add(close);
    return origin;
  };
  const environment = environmentOf({
    secretsManager: await away('secretsManager'),
    authUrl: await away('authUrl'),
    serviceUrl: await away('serviceUrl'),
  });
  return { ...environment, NODE_EXTRA_CA_CERTS: authorities };
};

offer({ start: (distance) => (distance === 'near' ? startNear() : startFar()) } satisfies Outside, closers.close);
