import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findEngine, type EngineChoice } from './engine-choice.ts';
import { runEngine, type EngineProgram } from './engine-process.ts';
import { bindAddress, freePort, host, isFree } from '../ports.ts';
import { waitAloud, type WaitFor } from '../waits.ts';

/** The DynamoDB of the stack. */
export type Engine = {
  readonly url: string;
  /** dynoxide's database file; absent for other engines. */
  readonly file?: string;
  /** Whether the stack did not start it. Its data is then not in the data directory. */
  readonly isForeign: boolean;
  /** Kills it during its work, like a crash of the machine; absent for a foreign engine. */
  readonly kill?: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Returns the address for dynoxide. It allows every web page every request, and has no option against that. On Linux
 * all of 127.0.0.0/8 is the loopback interface: there it listens where no page finds it, unless its port is fixed.
 */
const dynoxideAddress = (port: number): string => {
  const address = bindAddress();
  if (address !== host || port !== 0 || process.platform !== 'linux') return address;
  return ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
};

const dynoxide = (program: string, file: string, address: string, port: number): EngineProgram => ({
  name: 'dynoxide',
  command: [
    program,
    'serve',
    '--host',
    address.includes(':') ? `[${address}]` : address,
    '--port',
    String(port),
    '--db-path',
    file,
  ],
  environment: { PATH: process.env['PATH'] },
  listening: /^Dynoxide listening on .*\n/m,
});

/** DynamoDB Local has no option for its address: it listens on every interface. */
const dynamodbLocal = (
  { program, folder }: Extract<EngineChoice, { kind: 'java' }>,
  data: string,
  port: number,
): EngineProgram => ({
  name: 'DynamoDB Local',
  command: [
    program,
    // Optimised for the start: short runs gain nothing from the optimising compiler.
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(folder, 'DynamoDBLocal.jar'),
    '-port',
    String(port),
    '-dbPath',
    data,
    // One database for all credentials and regions; telemetry would call AWS.
    '-sharedDb',
    '-disableTelemetry',
    // Only web pages of a name that cannot exist (RFC 6761) may send requests. By default, all may.
    '-cors',
    'https://none.invalid',
  ],
  environment: { PATH: process.env['PATH'] },
});

/**
 * Starts the DynamoDB engine with its files in the data directory, or uses an existing endpoint.
 *
 * @param port 0 selects any free port, and for dynoxide on Linux a secret address of the loopback interface
 * @param choice the engine; by default, the result of `findEngine`
 * @throws {Error} the errors of `findEngine`, a port in use, and the last output of a failed engine
 */
export const startEngine = async (
  dataDir: string,
  port: number,
  choice?: EngineChoice,
  waitFor: WaitFor = waitAloud,
): Promise<Engine> => {
  const chosen = choice ?? (await findEngine(process.env, waitFor));
  if (chosen.kind === 'endpoint') return { url: chosen.url, isForeign: true, close: () => Promise.resolve() };
  const enginePort = port === 0 ? await freePort() : port;
  if (chosen.kind === 'dynoxide') {
    const address = dynoxideAddress(port);
    const file = join(dataDir, 'dynamodb.sqlite');
    const engine = await runEngine(dynoxide(chosen.program, file, address, enginePort), enginePort, waitFor);
    const url = `http://${address.startsWith('127.') ? address : host}:${enginePort}`;
    return { url, file, isForeign: false, ...engine };
  }
  // Another server on the port would respond instead.
  if (!(await isFree(enginePort)))
    throw new Error(`DynamoDB Local did not start: port ${enginePort} is already in use`);
  const data = resolve(dataDir, 'dynamodb-local');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const engine = await runEngine(dynamodbLocal(chosen, data, enginePort), enginePort, waitFor);
  return { url: `http://${host}:${enginePort}`, isForeign: false, ...engine };
};
