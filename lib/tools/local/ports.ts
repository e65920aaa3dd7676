import { randomInt } from 'node:crypto';
import { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** The port of each server; 0 selects any free port. */
export type Ports = {
  readonly connected: number;
  readonly standalone: number;
  readonly hooks: number;
  readonly standaloneHooks: number;
  /** The API for browsers, of the standalone mode. */
  readonly web: number;
  readonly lambda: number;
  readonly standaloneLambda: number;
  /** The target of the standalone mode's presigned URLs. */
  readonly standaloneObjects: number;
  readonly identity: number;
  readonly shop: number;
  /** The address for what customers and staff do in the shops. */
  readonly shops: number;
  /** The example service of an adapter. */
  readonly service: number;
  readonly dynamodb: number;
  readonly sqs: number;
  readonly secrets: number;
  readonly eventBridge: number;
  readonly ses: number;
  readonly receiver: number;
};

/**
 * The host in the URLs of all servers but dynoxide. The loopback interface reaches them whatever they listen on.
 */
export const host = '127.0.0.1';

/** The values of HOST, and their addresses. */
const addresses: ReadonlyMap<string, string> = new Map([
  [host, host],
  ['localhost', host],
  ['0.0.0.0', '0.0.0.0'],
  ['::', '::'],
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the address that every server listens on. It is the loopback interface, because the emulators accept any
 * credentials. HOST can select every interface, which a container with published ports needs.
 *
 * @throws {Error} for another HOST
 */
export const bindAddress = (env: Environment = process.env): string => {
  const configured = env['HOST'] || host;
  const address = addresses.get(configured);
  if (address === undefined)
    throw new Error(
      `environment variable HOST must be one of ${[...addresses.keys()].join(', ')}, and is "${configured}"`,
    );
  return address;
};

const portOf = (env: Environment, name: string): number => {
  const value = env[name];
  if (value === undefined || value === '') return 0;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`environment variable ${name} must be a port from 1 to 65535`);
  return port;
};

/**
 * Returns the ports from the environment, and checks the address of HOST.
 *
 * @throws {Error} for an invalid HOST or port
 */
export const portsFromEnvironment = (env: Environment = process.env): Ports => {
  bindAddress(env);
  return {
    connected: portOf(env, 'PORT_CONNECTED'),
    standalone: portOf(env, 'PORT_STANDALONE'),
    hooks: portOf(env, 'PORT_HOOKS'),
    standaloneHooks: portOf(env, 'PORT_STANDALONE_HOOKS'),
    web: portOf(env, 'PORT_WEB'),
    lambda: portOf(env, 'PORT_LAMBDA'),
    standaloneLambda: portOf(env, 'PORT_STANDALONE_LAMBDA'),
    standaloneObjects: portOf(env, 'PORT_STANDALONE_OBJECTS'),
    identity: portOf(env, 'PORT_IDENTITY'),
    shop: portOf(env, 'PORT_SHOP'),
    shops: portOf(env, 'PORT_SHOPS'),
    service: portOf(env, 'PORT_SERVICE'),
    dynamodb: portOf(env, 'PORT_DYNAMODB'),
    sqs: portOf(env, 'PORT_SQS'),
    secrets: portOf(env, 'PORT_SECRETS'),
    eventBridge: portOf(env, 'PORT_EVENTBRIDGE'),
    ses: portOf(env, 'PORT_SES'),
    receiver: portOf(env, 'PORT_RECEIVER'),
  };
};

/**
 * The time for which a server keeps an idle connection. Node's default is 5 seconds. A client would then often send on a
 * connection at the moment at which the server closes it, above all on a busy machine.
 */
const idleMs = 600_000;

/** Starts a server on the address of HOST and returns its origin on the loopback interface. */
export const listen = async (server: Server | HttpServer, port: number): Promise<string> => {
  const address = bindAddress();
  if (server instanceof HttpServer) server.keepAliveTimeout = idleMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
};

/** Closes a server with its connections. */
export const closeServer = async (server: HttpServer): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

/** Whether a server could listen on the port now. */
export const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    await listen(server, port);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
};

/**
 * Returns a port that is free now, for a process that needs its number in advance. It is outside the ranges from which
 * systems assign ports by default, to servers and connections. So no other process gets it by chance.
 *
 * @throws {Error} when it finds none
 */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    // Linux assigns ports from 32,768 on, other systems from 49,152 (RFC 6335, section 6). Many below 10,000 are in
    // use.
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error('there is no free port on this machine');
};
